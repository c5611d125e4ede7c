import { currencyCodes, decimalsOf } from '../../protocol/money.js'
import { cadenceMs, durationMs } from '../../protocol/durations.js'
import { CAPABILITY_NAME, FIELD_NAME, REFERENCE, RESERVED_KEYS, SCOPE, SERVICE_ID } from '../../protocol/identifiers.js'
import { nameTroubles, referenceTroubles, scopeTroubles, versionTroubles, type Misspelling } from './misspellings.js'
import { nearest } from '../nearest.js'

/** Spelling of a text. */
export interface Format {
  /** `an ISO 8601 duration`: completes "… is not". */
  readonly noun: string
  /** As in the JSON Schema; linear-time. */
  readonly pattern: RegExp
  /** Beyond the pattern. */
  readonly also?: (text: string) => boolean
  /** The closed list of its texts, where it has one; the JSON Schema names them. */
  readonly words?: readonly string[]
  /** Texts that fit the pattern, and that nobody may write. */
  readonly reserved?: ReadonlySet<string>
  /** In characters; the pattern keeps it, too. */
  readonly longest?: number
  /** Misspellings that have a rule of their own; asked in order, before the format itself. */
  readonly exact?: readonly Misspelling[]
  /** Returns the text that the author most likely meant. */
  readonly fix?: (text: string) => string | undefined
  /** True if the correction may be another word, not another spelling of the same one. */
  readonly mayGuess?: true
  readonly examples: readonly string[]
}

const isDuration = (text: string): boolean => durationMs(text) !== undefined
const isCadence = (text: string): boolean => (cadenceMs(text) ?? 0) > 0
const isActive = (currency: string): boolean => decimalsOf(currency) !== undefined
/** `Date` takes the thirtieth of February for a day in March. */
const isOnCalendar = (text: string): boolean => {
  const local = text.slice(0, '2026-01-01T00:00:00'.length)
  return new Date(`${local}Z`).toJSON()?.startsWith(local) === true
}

const LONGEST_NAME = 128

export const FORMATS = {
  capabilityName: { noun: 'a capability name (lower-case words joined by `_`, in parts joined by `.`)', longest: LONGEST_NAME, pattern: CAPABILITY_NAME, reserved: RESERVED_KEYS, fix: snakeCase, exact: nameTroubles, examples: ['search_flights', 'pay.charge'] },
  scope: { noun: 'a scope (lower-case letters, digits, and `.` `_` `:` `-` inside)', longest: LONGEST_NAME, pattern: SCOPE, fix: lowerCase, exact: scopeTroubles, examples: ['flights.read'] },
  serviceId: { noun: 'a service id (lower-case letters and digits, with `.` `_` `-` inside)', longest: LONGEST_NAME, pattern: SERVICE_ID, fix: lowerCase, examples: ['flights'] },
  identifier: { noun: 'an identifier (letters, digits and `_`)', longest: LONGEST_NAME, pattern: FIELD_NAME, reserved: RESERVED_KEYS, fix: identifier, examples: ['quote_id'] },
  reference: { noun: 'an identifier such as `crm.account_catalog`', pattern: REFERENCE, exact: referenceTroubles, examples: ['crm.account_catalog'] },
  duration: { noun: 'an ISO 8601 duration', pattern: /^P(?:\d{1,6}W|(?=\d|T\d)(?:\d{1,6}Y)?(?:\d{1,6}M)?(?:\d{1,6}D)?(?:T(?=\d)(?:\d{1,6}H)?(?:\d{1,6}M)?(?:\d{1,6}(?:\.\d{1,3})?S)?)?)$/u, also: isDuration, fix: duration, examples: ['PT15M', 'P90D'] },
  cadence: { noun: 'a cadence (`hourly`, `daily` or an ISO 8601 duration)', pattern: /^(?:hourly|daily|P[0-9A-Z.]+)$/u, also: isCadence, fix: cadence, mayGuess: true, examples: ['hourly', 'PT15M'] },
  semver: { noun: 'a semantic version', pattern: /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)(?:-(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\.(?:0|[1-9]\d*|\d*[a-zA-Z-][0-9a-zA-Z-]*))*)?(?:\+[0-9a-zA-Z-]+(?:\.[0-9a-zA-Z-]+)*)?$/u, fix: version, exact: versionTroubles, examples: ['1.0.0'] },
  protocolVersion: { noun: 'a version major.minor.patch', pattern: /^(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)\.(?:0|[1-9]\d*)$/u, fix: version, examples: ['0.24.0'] },
  currency: { noun: 'an ISO 4217 currency code', pattern: /^[A-Z]{3}$/u, words: currencyCodes(), also: (text) => isActive(text) || withdrawnIn(text) !== undefined, fix: currency, mayGuess: true, examples: ['EUR', 'USD'] },
  timestamp: { noun: 'an RFC 3339 timestamp', pattern: /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/u, also: isOnCalendar, examples: ['2026-01-01T00:00:00Z'] },
  sha256: { noun: '64 lower-case hexadecimal characters', pattern: /^[0-9a-f]{64}$/u, fix: lowerCase, examples: ['0'.repeat(64)] },
  urlPath: { noun: 'a path such as /.well-known/jwks.json', pattern: /^\/[\w.~!$&'()*+,;=:@%/-]*$/u, examples: ['/.well-known/jwks.json'] },
  path: { noun: 'a path such as `$.input.<name>` or `$.steps.<id>.output.<field>`', pattern: /^\$\.(?:input\.([a-zA-Z_]\w*)|steps\.([a-zA-Z_]\w*)\.output\.([a-zA-Z_]\w*))$/u, fix: path, examples: ['$.input.city', '$.steps.search.output.flights'] },
  emptyPath: { noun: 'a path such as `$.<output field>`', pattern: /^\$\.[a-zA-Z_]\w*$/u, fix: emptyPath, examples: ['$.flights'] },
} as const satisfies { readonly [name: string]: Format } // prettier-ignore

/** The parts of a place in the composition: a parent input, or a step and a field of its output. */
export const partsOfPath = (path: string): RegExpExecArray | null => formatOf('path').pattern.exec(path)

export type TextFormat = keyof typeof FORMATS
export const formatOf = (name: TextFormat): Format => FORMATS[name]

/** Texts that are known to fit: a manifest repeats few durations and versions many times. */
const known = new Map<Format, Set<string>>()
const MOST_KNOWN = 1000

export function fits(format: Format, text: string): boolean {
  let texts = known.get(format)
  if (texts === undefined) known.set(format, (texts = new Set()))
  if (texts.has(text)) return true
  if (!format.pattern.test(text) || format.reserved?.has(text) === true) return false
  if (format.also !== undefined && !format.also(text)) return false
  if (texts.size < MOST_KNOWN) texts.add(text)
  return true
}

/** Codes that ISO 4217 has withdrawn, with the year. */
const withdrawn: { readonly [currency: string]: number } = {
  ATS: 2002, BEF: 2002, BGL: 1999, BGN: 2026, CUC: 2021, CYP: 2008, DEM: 2002, EEK: 2011, ESP: 2002,
  FIM: 2002, FRF: 2002, GRD: 2002, HRK: 2023, IEP: 2002, ITL: 2002, LTL: 2015, LUF: 2002, LVL: 2014,
  MRO: 2018, MTL: 2008, NLG: 2002, PTE: 2002, SIT: 2007, SKK: 2009, SLL: 2023, STD: 2018, VEF: 2018,
  ZMK: 2012, ANG: 2025,
} // prettier-ignore

/** The year in which ISO 4217 withdrew a currency; a rule of its own tells. */
export const withdrawnIn = (currency: string): number | undefined =>
  !isActive(currency) && Object.hasOwn(withdrawn, currency) ? withdrawn[currency] : undefined

function snakeCase(text: string): string | undefined {
  const fixed = text
    .trim()
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[/:]+/gu, '.')
    .replaceAll(/[^a-z0-9.]+/gu, '_')
    .replaceAll(/_+(?=\.|$)|(?<=^|\.)_+/gu, '')
  return CAPABILITY_NAME.test(fixed) ? fixed : undefined
}

function lowerCase(text: string): string | undefined {
  const fixed = text.trim().toLowerCase()
  return fixed === text ? undefined : fixed
}

function identifier(text: string): string | undefined {
  const fixed = text
    .trim()
    .replaceAll(/\W+/gu, '_')
    .replaceAll(/^_+|_+$/gu, '')
  return FIELD_NAME.test(fixed) && fixed !== text ? fixed : undefined
}

const units: { readonly [unit: string]: readonly [before: string, after: string] } = {
  s: ['PT', 'S'], sec: ['PT', 'S'], second: ['PT', 'S'], m: ['PT', 'M'], min: ['PT', 'M'], minute: ['PT', 'M'], h: ['PT', 'H'], hour: ['PT', 'H'],
  d: ['P', 'D'], day: ['P', 'D'], w: ['P', 'W'], week: ['P', 'W'], month: ['P', 'M'], y: ['P', 'Y'], year: ['P', 'Y'],
} // prettier-ignore

function duration(text: string): string | undefined {
  const match = /^\s*(\d{1,6})\s*([a-z]{1,7}?)s?\s*$/i.exec(text)
  const unit = match?.[2]?.toLowerCase() ?? ''
  const parts = Object.hasOwn(units, unit) ? units[unit] : /^\s*\d+\s*s\s*$/i.test(text) ? units['s'] : undefined
  if (match !== null && parts !== undefined) return `${parts[0]}${match[1]}${parts[1]}`
  const upper = text.trim().toUpperCase()
  return durationMs(upper) === undefined ? undefined : upper
}

function cadence(text: string): string | undefined {
  return nearest(text, ['hourly', 'daily']) ?? duration(text)
}

function version(text: string): string | undefined {
  const match = /^\s*[vV]?(\d+)(?:\.(\d+))?(?:\.(\d+))?\s*$/u.exec(text)
  if (match === null) return undefined
  const [major, minor, patch] = match.slice(1).map((part) => Number(part ?? 0))
  return `${major}.${minor}.${patch}`
}

function currency(text: string): string | undefined {
  const upper = text.trim().toUpperCase()
  return isActive(upper) ? upper : nearest(upper, currencyCodes())
}

function emptyPath(text: string): string | undefined {
  const fixed = `$.${text}`
  return fits(FORMATS.emptyPath, fixed) ? fixed : undefined
}

function path(text: string): string | undefined {
  const fixed = text
    .trim()
    .replace(/^\$?\.?/u, '$.')
    .replace(/^\$\.inputs\./u, '$.input.')
    .replace(/^\$\.step\./u, '$.steps.')
    .replace(/^(\$\.steps\.\w+\.)(?:outputs?\.|results?\.)?(?=\w+$)/u, '$1output.')
  return partsOfPath(fixed) === null ? undefined : fixed
}
