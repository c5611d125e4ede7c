import { readAs } from '../../protocol/upstream-requests.js'
import type { AnswerDeviation } from '../../protocol/invocation.js'
import type { Json } from '../../protocol/manifest.js'
import { keptNumber, mayHaveDigits, nearNumber, parseDigits } from './digits.js'
import type { HttpOperation } from './operation.js'

/** The body of a 2xx answer, read as it is described; `other` is none that the operation describes. */
export type ReadAnswer =
  | { readonly content: 'other'; readonly why: string; readonly deviation?: never }
  | {
      readonly content: 'read'
      /** Undefined where nothing was readable. */
      readonly value: Json | undefined
      /** The value with numbers in the place of digits that no number holds. */
      readonly judged: Json | undefined
      /** Why nothing was readable, although the media type is as described. */
      readonly deviation?: AnswerDeviation
    }

const NOTHING = { content: 'read', value: undefined, judged: undefined } as const

export function readAnswer({ answers, output }: HttpOperation, response: Response, bytes: Uint8Array): ReadAnswer {
  const types = describedTypes(answers, response.status)
  const isStatus = 'as' in output && output.as === 'status'
  const isValue = 'as' in output && output.as === 'value'
  const given = (response.headers.get('content-type') ?? '').toLowerCase().split(';', 1)[0]!.trim()
  // A page to sign in is often answered with 200, where 204 alone is described.
  if (types?.length === 0 && bytes.length > 0 && PAGES.has(given) && !isDescribed(answers, response.status))
    return other(`a body of ${given}`)
  if (types?.length === 0 || (types === undefined && isStatus)) return NOTHING
  if (bytes.length === 0) return other('an empty body')
  const described = types ?? ['application/json']
  const takes = (as: 'json' | 'text'): boolean => described.some((type) => readAs(type) === as)
  const body = textOf(bytes, response)
  if (takes('json') && (given === '' || given === 'text/plain')) {
    const takesText = takes('text') || (isValue && described.some(isAnyType))
    const read = takesText && given !== '' && isText(output) ? undefined : readJson(body)
    if (read !== undefined) return held(read, output)
    if (!takesText) return other('a text that is no JSON')
  }
  if (takes('json') && readAs(given) === 'json') return held(readJson(body), output)
  if (!described.some((type) => fits(type, given) && (isValue || !isAnyType(type) || !PAGES.has(given))))
    return other(given === '' ? 'a body of no media type' : `a body of ${given.slice(0, 60)}`)
  // A status that is described by a text alone has nothing for the members of the others.
  if (isStatus || (!isValue && !takes('json'))) return NOTHING
  const value = readAs(given) === 'text' ? body : Buffer.from(bytes).toString('base64')
  return { content: 'read', value, judged: value }
}

const isText = (output: HttpOperation['output']): boolean => 'as' in output && output.text === true

const isAnyType = (type: string): boolean => type.trim().startsWith('*/*')

/** The text of a body by its `charset`, else in UTF-8; a byte order mark is no part of it (RFC 8259, 8.1). */
function textOf(bytes: Uint8Array, { headers }: Response): string {
  const charset = /;\s*charset\s*=\s*"?([\w:.-]{1,40})/iu.exec(headers.get('content-type') ?? '')?.[1] ?? 'utf-8'
  return decoderOf(charset).decode(bytes)
}

function decoderOf(charset: string) {
  try {
    return new TextDecoder(charset)
  } catch {
    return new TextDecoder()
  }
}

const other = (why: string): ReadAnswer => ({ content: 'other', why })

/** The media types of an answer with this status: its own, those of all 2xx, or those of every described one. */
function describedTypes(answers: HttpOperation['answers'], status: number): readonly string[] | undefined {
  if (answers === undefined) return undefined
  return answers[status] ?? answers['2XX'] ?? Object.values(answers).flat()
}

const PAGES: ReadonlySet<string> = new Set(['text/html', 'application/xhtml+xml'])

const isDescribed = (answers: HttpOperation['answers'], status: number): boolean =>
  answers?.[status] !== undefined || answers?.['2XX'] !== undefined

/** Whether a media type is the described one, or of the described range. */
function fits(described: string, given: string): boolean {
  const name = described.toLowerCase().split(';', 1)[0]!.trim()
  if (name === given || name === '*/*') return true
  const [type, subtype] = name.split('/')
  if (subtype === '*') return given.startsWith(`${type}/`)
  return name === 'application/octet-stream' && given !== '' && readAs(given) === 'bytes'
}

interface Parsed {
  readonly value: Json
  readonly judged: Json
}

/** Undefined for what is no JSON. */
function readJson(text: string): Parsed | undefined {
  try {
    const value = JSON.parse(text) as Json
    return mayHaveDigits(text)
      ? { value: parseDigits(text, keptNumber), judged: parseDigits(text, nearNumber) }
      : { value, judged: value }
  } catch {
    return undefined
  }
}

/** What is JSON, and of the kind that the output needs. */
function held(read: Parsed | undefined, output: HttpOperation['output']): ReadAnswer {
  const got = read === undefined ? 'a text that is no JSON' : kindOf(read.value)
  const wanted = 'members' in output ? 'an object' : output.as === 'items' ? 'an array' : undefined
  if (read === undefined) return { ...NOTHING, deviation: { pointer: '', expected: 'JSON', got } }
  if (wanted === undefined || got === wanted) return { content: 'read', ...read }
  return { ...NOTHING, deviation: { pointer: '', expected: wanted, got } }
}

const kindOf = (value: Json): string =>
  Array.isArray(value) ? 'an array' : typeof value === 'object' && value !== null ? 'an object' : 'a single value'
