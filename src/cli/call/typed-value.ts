import { isRecord } from '../../crypto/json/kinds.js'
import type { Input, Json } from '../../protocol/manifest.js'
import { typeSchema } from '../../protocol/type-schemas.js'
import { CliError } from '../shared/errors/cli-error.js'
import { printable } from '../shared/output/printable.js'

interface Kind {
  readonly holds: (value: unknown) => boolean
  readonly phrase: string
  /** Values to write after `name:=`. */
  readonly examples: readonly string[]
}

/** JSON type -> how a text is read as one; every other type is text. */
const KINDS: ReadonlyMap<unknown, Kind> = new Map<unknown, Kind>([
  ['boolean', { holds: (value) => typeof value === 'boolean', phrase: 'true or false', examples: ['true', 'false'] }],
  ['integer', { holds: Number.isSafeInteger, phrase: 'a whole number', examples: ['2'] }],
  ['number', { holds: Number.isFinite, phrase: 'a number', examples: ['2.5'] }],
  ['array', { holds: Array.isArray, phrase: 'a list', examples: [`'["a"]'`] }],
  ['object', { holds: isRecord, phrase: 'an object', examples: [`'{"a": 1}'`] }],
])

/** Reads `name=text` by the schema of the input: a number, a boolean, a list or an object where it takes one. */
export function typedValue(name: string, text: string, declared: readonly Input[]): Json {
  const input = declared.find((each) => each.name === name)
  const kind = input && kindOf([(input['x-schema'] ?? typeSchema(input.type))['type'] ?? 'string'].flat())
  if (kind === undefined) return text
  const value = jsonIn(text)
  if (value !== undefined && kind.holds(value)) return value
  const examples = kind.examples.map((example) => `${name}:=${example}`).join(' or ')
  throw new CliError(printable(`${name} is ${kind.phrase}, found ${JSON.stringify(text)}. Write ${examples}.`))
}

/** Returns the one kind of an input that takes no text; null beside it is written `name:=null`. */
const kindOf = (types: readonly Json[]): Kind | undefined => {
  const [only, ...others] = types.filter((type) => type !== 'null')
  return others.length === 0 ? KINDS.get(only) : undefined
}

function jsonIn(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
