import { BUSINESS_FAILURE_STATUS, FAILURES } from './failures.js'
import type { Capability, Json, JsonObject } from './manifest.js'

/**
 * A failure of the business that a handler may raise: declared under `x-failures`, name -> description, or name ->
 * both.
 */
export interface BusinessFailure {
  readonly type: string
  /** Empty where none is given. */
  readonly description: string
  /** The 4xx status that it is answered with. */
  readonly status: number
}

/** The declared failures of a capability, by name. What is not declared as it should be counts as not given. */
export function businessFailuresOf({ extensions }: Capability): readonly BusinessFailure[] {
  const declared = extensions?.['x-failures']
  if (!isMap(declared)) return []
  return Object.entries(declared)
    .map(([type, given]) => ({ type, ...membersOf(given) }))
    .sort((a, b) => (a.type < b.type ? -1 : 1))
}

function membersOf(given: Json): Omit<BusinessFailure, 'type'> {
  const { description, status } = isMap(given) ? given : { description: given }
  return {
    description: typeof description === 'string' ? description : '',
    status: typeof status === 'number' ? status : BUSINESS_FAILURE_STATUS,
  }
}

/** Checks whether a JSON value has members. */
export const isMap = (value: Json | undefined): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const FAILURE_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/u
const LONGEST_NAME = 64
const MEMBERS = ['status', 'description']

/** Returns why a declared failure cannot be used, as a clause; undefined if it can. */
export const wrongFailure = (type: string, given: Json): string | undefined => wrongName(type) ?? wrongMembers(given)

function wrongName(name: string): string | undefined {
  if (!FAILURE_NAME.test(name) || name.length > LONGEST_NAME)
    return `must be lower-case words joined by _, ${LONGEST_NAME} characters at most`
  return Object.hasOwn(FAILURES, name) ? 'is a failure of the service interface itself' : undefined
}

function wrongMembers(given: Json): string | undefined {
  if (!isMap(given)) return given === null || typeof given === 'string' ? undefined : NO_TEXT
  const { status, description } = given
  const stray = Object.keys(given).find((name) => !MEMBERS.includes(name))
  if (stray !== undefined) return `has a member ${JSON.stringify(stray)}; known are ${MEMBERS.join(' and ')}`
  if (status !== undefined && !isClientError(status)) return 'has a status that is no whole number from 400 to 499'
  return description === undefined || typeof description === 'string' ? undefined : NO_TEXT
}

const NO_TEXT = 'is described by no text; say in quotes when it happens'

/** The same as JSON Schema (draft 7). */
export const BUSINESS_FAILURES_SCHEMA: JsonObject = {
  type: ['object', 'null'],
  propertyNames: { pattern: FAILURE_NAME.source, maxLength: LONGEST_NAME, not: { enum: Object.keys(FAILURES) } },
  additionalProperties: {
    type: ['object', 'string', 'null'],
    properties: { status: { type: 'integer', minimum: 400, maximum: 499 }, description: { type: 'string' } },
    additionalProperties: false,
  },
}

const isClientError = (status: Json): boolean =>
  typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 499
