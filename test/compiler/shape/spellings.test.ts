/** How a text must be spelt, format by format, and what the author of another one most likely meant. */
import { describe, expect, it } from 'vitest'
import { fits, formatOf, FORMATS, partsOfPath, type TextFormat } from '../../../src/compiler/shape/formats.js'
import { referenceTroubles, scopeTroubles, versionTroubles } from '../../../src/compiler/shape/misspellings.js'

const a = (count: number): string => 'a'.repeat(count)

/** Format -> what fits, and what does not. */
const SPELLINGS: { readonly [format in TextFormat]: readonly [fitting: readonly string[], other: readonly string[]] } = {
  capabilityName: [['a', 'search_flights', 'pay.charge', 'a1', a(128)], ['', 'Search', 'pay..charge', 'pay.', '_a', '1a', 'a-b', 'constructor', a(129)]],
  scope: [['a', 'flights.read', 'a:b-c_d', '1a', a(128)], ['', 'Flights', 'a b', '.a', a(129)]],
  serviceId: [['a', 'my.shop-1_x', a(128)], ['', 'Shop', '-a', 'a:b', a(129)]],
  identifier: [['a', '_a', 'quoteId', 'quote_id', a(128)], ['', '1a', 'a-b', 'a.b', 'constructor', a(129)]],
  reference: [['crm.account_catalog', 'a'], ['', 'a b', 'https://crm']],
  duration: [['PT15M', 'P90D', 'P2W', 'P1Y2M3DT4H5M6S', 'PT0.5S', 'PT999999S', 'P999999W'], ['', 'P', 'PT', '15M', 'P1DT', 'PT1.5M', 'PT0.1234S', 'P1000000W', 'P1W2D', 'pt15m']],
  cadence: [['hourly', 'daily', 'PT15M', 'P1D'], ['', 'weekly', 'PT0S', 'Hourly', 'P']],
  semver: [['0.0.0', '1.2.3', '1.0.0-alpha.1', '1.0.0+build.5', '10.20.30-x-y'], ['', '1', '1.2', 'v1.2.3', '01.2.3', '1.2.3-', '1.2.3-01', '1.2.3.4']],
  protocolVersion: [['0.24.0', '10.0.1'], ['', '0.24', '0.24.0-x', '00.1.0']],
  currency: [['EUR', 'JPY', 'KWD', 'DEM'], ['', 'eur', 'EURO', 'XXQ', 'EU']],
  timestamp: [['2026-01-01T00:00:00Z', '2026-12-31T23:59:59.123456789+23:59', '2024-02-29T00:00:00-00:00'], ['2026-01-01', '2026-01-01T00:00:00', '2026-13-01T00:00:00Z', '2026-00-01T00:00:00Z', '2026-01-32T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T00:60:00Z', '2026-01-01T00:00:60Z', '2026-01-01T00:00:00.1234567890Z', '2026-01-01T00:00:00+24:00', '2026-01-01t00:00:00z']],
  sha256: [['0123456789abcdef'.repeat(4)], ['a'.repeat(63), 'a'.repeat(65), 'A'.repeat(64), 'g'.repeat(64)]],
  urlPath: [['/', '/.well-known/jwks.json', "/a/b~!$&'()*+,;=:@%20-_"], ['', 'a', '/a b', '/a?b', '/a#b', '/é']],
  path: [['$.input.city', '$.steps.search.output.flights', '$.input._a1'], ['', '$.input', '$.input.a.b', '$.steps.a.b', '$.steps.a.output', '$.steps.a.output.b.c', 'input.a', '$.input.1a']],
  emptyPath: [['$.flights', '$._a'], ['', '$', '$.', 'flights', '$.a.b', '$.1']],
} // prettier-ignore

describe.each(Object.entries(SPELLINGS) as readonly (readonly [TextFormat, readonly [readonly string[], readonly string[]]])[])('%s', (name, [fitting, other]) => {
  it('is spelt so', () => {
    expect(fitting.filter((text) => !fits(formatOf(name), text))).toEqual([])
    expect(formatOf(name).examples.filter((text) => !fits(formatOf(name), text))).toEqual([])
  })

  it('is not spelt so', () => {
    expect(other.filter((text) => fits(formatOf(name), text))).toEqual([])
  })
}) // prettier-ignore

/** Format -> what was written, and what it is fixed to. */
const MEANT: readonly (readonly [TextFormat, string, string | undefined])[] = [
  ['capabilityName', 'searchFlights', 'search_flights'], ['capabilityName', ' Search Flights ', 'search_flights'], ['capabilityName', 'pay/charge', 'pay.charge'], ['capabilityName', 'pay:charge', 'pay.charge'], ['capabilityName', '_pay_._charge_', 'pay.charge'], ['capabilityName', '!', undefined],
  ['scope', ' Flights.Read ', 'flights.read'], ['scope', 'a b', undefined],
  ['serviceId', 'Shop', 'shop'],
  ['identifier', 'quote-id', 'quote_id'], ['identifier', ' quote id! ', 'quote_id'], ['identifier', '__', undefined], ['identifier', '1a', undefined],
  ['semver', '1', '1.0.0'], ['semver', '1.2', '1.2.0'], ['semver', 'v1.2.3', '1.2.3'], ['semver', 'V2', '2.0.0'], ['semver', 'one', undefined],
  ['protocolVersion', '0.24', '0.24.0'],
  ['currency', 'eur', 'EUR'], ['currency', ' usd ', 'USD'], ['currency', 'EURO', 'EUR'],
  ['sha256', 'A'.repeat(64), 'a'.repeat(64)],
  ['cadence', 'Hourly', 'hourly'], ['cadence', 'dayly', 'daily'], ['cadence', '15 min', 'PT15M'],
  ['path', 'input.city', '$.input.city'], ['path', '$.inputs.city', '$.input.city'], ['path', '.input.city', '$.input.city'], ['path', '$.step.a.b', '$.steps.a.output.b'], ['path', '$.steps.a.b', '$.steps.a.output.b'], ['path', '$.steps.a.outputs.b', '$.steps.a.output.b'], ['path', '$.steps.a.result.b', '$.steps.a.output.b'], ['path', '$.steps.a.results.b', '$.steps.a.output.b'], ['path', 'city', undefined],
  ['emptyPath', 'flights', '$.flights'], ['emptyPath', 'a.b', undefined],
  ...([['s', 'PT5S'], ['sec', 'PT5S'], ['secs', 'PT5S'], ['second', 'PT5S'], ['seconds', 'PT5S'], ['m', 'PT5M'], ['min', 'PT5M'], ['mins', 'PT5M'], ['minute', 'PT5M'], ['minutes', 'PT5M'], ['h', 'PT5H'], ['hour', 'PT5H'], ['hours', 'PT5H'], ['d', 'P5D'], ['day', 'P5D'], ['days', 'P5D'], ['w', 'P5W'], ['week', 'P5W'], ['weeks', 'P5W'], ['month', 'P5M'], ['months', 'P5M'], ['y', 'P5Y'], ['year', 'P5Y'], ['years', 'P5Y'], ['Hours', 'PT5H']] as const).map(([unit, text]) => ['duration', `5 ${unit}`, text] as const),
  ['duration', '15m', 'PT15M'], ['duration', 'pt15m', 'PT15M'], ['duration', ' p2w ', 'P2W'], ['duration', '5', undefined], ['duration', '5 eons', undefined], ['duration', '1000000 s', undefined],
] // prettier-ignore

it.each(MEANT)('by the %s %j is meant %s', (format, written, meant) => {
  expect(formatOf(format).fix?.(written)).toBe(meant)
})

it('a fix may guess another word where words are few, and nowhere else', () => {
  expect(Object.keys(FORMATS).filter((name) => formatOf(name as TextFormat).mayGuess)).toEqual(['cadence', 'currency'])
})

it('takes a path apart into an input, or a step and its field', () => {
  expect(partsOfPath('$.input.city')?.slice(1)).toEqual(['city', undefined, undefined])
  expect(partsOfPath('$.steps.find.output.offers')?.slice(1)).toEqual([undefined, 'find', 'offers'])
  expect(partsOfPath('$.output.offers')).toBeNull()
})

it.each<readonly [string, string | undefined]>([
  ['postgres://ana:secret@db/x', 'SVC5001'], ['ana:secret@host', 'SVC5001'], ['https://ana:secret@host/x', 'SVC5001'],
  ...['access_token', 'accesstoken', 'api_key', 'apikey', 'auth', 'key', 'pass', 'passwd', 'password', 'secret', 'sig', 'signature', 'token'].map((name) => [`crm?${name}=x`, 'SVC5002'] as const),
  ['crm?a=1&TOKEN=x', 'SVC5002'], ['crm;key=x', 'SVC5002'],
  ...['postgres', 'postgresql', 'mysql', 'mariadb', 'mongodb', 'mongodb+srv', 'redis', 'rediss', 'amqp', 'amqps', 'jdbc:oracle', 'sqlserver', 'sqlite', 'kafka', 'ldap', 'ldaps'].map((scheme) => [`${scheme}://host`, 'SVC5010'] as const),
  ['${CRM}', 'SVC5008'], ['crm.$API', 'SVC5008'], ['http://crm', 'SVC5009'], ['HTTPS://crm', 'SVC5009'], ['[a, b]', 'SVC2310'], ['a,b', 'SVC2310'],
  ['crm.account_catalog', undefined], ['crm?a=1', undefined], ['$AB', undefined], ['user@host', undefined],
])('the reference %s is refused by %s', (text, code) => {
  expect(referenceTroubles.find(({ when }) => when.test(text))?.code).toBe(code)
}) // prettier-ignore

it.each([
  ['a.read, a.write', 'SVC2202'],
  ['a.read;a.write', 'SVC2202'],
  ['a.*', 'SVC2203'],
  ['a.read', undefined],
])('the scope %s is refused by %s', (text, code) => {
  expect(scopeTroubles.find(({ when }) => when.test(text))?.code).toBe(code)
})

it.each([
  ['v1.2.3', 'SVC1305', '1.2.3'],
  ['V1.2.3', 'SVC1305', '1.2.3'],
  ['01.2.3', 'SVC1306', '1.2.3'],
  ['1.02.003', 'SVC1306', '1.2.3'],
  ['1.2.03', 'SVC1306', '1.2.3'],
  ['1.2.0', undefined, undefined],
])('the version %s is refused by %s, and %s is meant', (text, code, meant) => {
  const trouble = versionTroubles.find(({ when }) => when.test(text))
  expect([trouble?.code, trouble?.fix?.(text)]).toEqual([code, meant])
})
