import type { Json } from '../../protocol/manifest.js'
import type { BodyKind, ParameterPlace, ParameterStyle } from '../../protocol/upstream-requests.js'
import { isSecretName, secretIn } from '../rules/facts/secrets.js'
import { FAULTS } from './faults.js'
import { NOTES, type NoteText } from './notes.js'
import { isExact } from './keywords.js'
import { snakeCase } from './operations.js'
import { noteFault, type ApiPlace, type Description } from './references.js'
import type { ImportedType } from './schemas.js'

/** An input of a capability, and where its value goes. */
export interface ImportedInput {
  readonly name: string
  readonly required: boolean
  readonly flat: ImportedType
  readonly in: ParameterPlace | 'query-string' | 'body' | 'whole-body'
  readonly wire: string
  /** Encoding of its value, if it is not the default of its place. */
  readonly how?: WrittenAs
}

export interface WrittenAs {
  readonly style?: ParameterStyle
  readonly explode?: boolean
  readonly json?: true
  readonly reserved?: true
  readonly file?: string
}

export interface ImportedInputs {
  readonly inputs: readonly ImportedInput[]
  readonly body?: ImportedBody
  /** Omitted parts, in words. */
  readonly notes: readonly NoteText[]
}

export interface ImportedBody {
  readonly type: string
  readonly as: BodyKind
  readonly required?: true
}

/** Parameters and body of an operation, combined. */
export interface Collected {
  readonly inputs: ImportedInput[]
  readonly notes: NoteText[]
  body?: ImportedBody
}

/** Omits an input that cannot be sent: a finding if it is required, otherwise a note. */
export function leaveOut(
  description: Description,
  at: ApiPlace,
  required: boolean,
  what: string,
  { notes }: Collected,
): void {
  if (required) noteFault(description, at, FAULTS.unsent.says(what))
  else notes.push(NOTES.optional.says(what))
}

export const withDescription = (flat: ImportedType, description: string | undefined): ImportedType =>
  description === undefined ? flat : { ...flat, description }

/** Names that surfaces use for themselves, or that no input may have. */
const TAKEN = new Set([
  'approval_grant', 'approval', 'task_id', 'client_reference_id', 'parent_invocation_id', 'upstream_service', 'idempotency_key', 'parameters', 'stream',
  'constructor', 'prototype', '__proto__',
]) // prettier-ignore

export function addInput(collected: Collected, input: ImportedInput): void {
  const place = input.in === 'whole-body' ? 'body' : input.in.replace('-', '_')
  const name = freeInputName(input.name, place, collected.inputs)
  if (name === undefined)
    return void collected.notes.push(NOTES.name.says(`${input.in} ${input.wire}, whose name is taken`))
  collected.inputs.push({ ...input, name, flat: withDefault(input) })
}

/** Returns a name that no other input has, and no surface: `task_id` of a path is `path_task_id`. */
export function freeInputName(
  wire: string,
  place: string,
  others: readonly { readonly name: string }[],
): string | undefined {
  const base = inputName(wire)
  const candidates = [base, `${place}_${base}`, ...[2, 3, 4, 5, 6, 7, 8, 9].map((n) => `${base}_${n}`)]
  return candidates.find((each) => !TAKEN.has(each) && others.every(({ name }) => name !== each))
}

/** A default of a body would overwrite what a change leaves alone; one of another type than its field says nothing. */
function withDefault({ in: place, name, required, flat }: ImportedInput): ImportedType {
  const given = flat.default
  if (given === undefined || required || place !== 'query') return { ...flat, default: undefined }
  const isSecret = typeof given === 'string' && (isSecretName(inputName(name)) || secretIn(given) !== undefined)
  if (isPlausible(given, flat) && !isSecret) return flat
  const note = isSecret ? NOTES.credential.says() : NOTES.default.says('a default of another type')
  return { ...flat, default: undefined, notCarried: [...flat.notCarried, note] }
}

function isPlausible(value: Json, { type, allowed }: ImportedType): boolean {
  if (allowed.length > 0 && !(allowed as readonly Json[]).includes(value)) return false
  if (type === 'integer') return Number.isSafeInteger(value)
  return type === 'number' ? isExact(value) : ['boolean', 'string'].includes(type) && typeof value === type
}

/** `per-page` -> `per_page`; what is an identifier stays. */
export function inputName(wire: string): string {
  if (/^[a-z][a-zA-Z0-9_]{0,100}$/u.test(wire)) return wire
  const name = snakeCase(wire).slice(0, 100)
  return /^[a-z]/u.test(name) ? name : `field_${name || 'value'}`
}
