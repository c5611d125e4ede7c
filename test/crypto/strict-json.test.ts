import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalText } from '../../src/crypto/json/canonical.js'
import { NUL, parseStrictJson } from '../../src/crypto/json/strict-json.js'
import { leastCpu } from '../cpu-time.js'

const reasonOf = (input: string | Uint8Array, maxDepth?: number) => {
  const json = parseStrictJson(input, maxDepth === undefined ? {} : { maxDepth })
  return json.ok ? undefined : json.reason
}

it.each([
  ['{"a":["c\\u0000d"]}', 'The JSON has the character U+0000.'],
  ['{"c\\u0000d":1}', 'The JSON has the character U+0000.'],
  ['["\\\\u0000"]', undefined],
  ['["u0000"]', undefined],
])('of %s, what refuses U+0000 says %j', (text, reason) => {
  const json = parseStrictJson(text, { refuses: NUL })
  expect(json.ok ? undefined : json.reason).toBe(reason)
  expect(parseStrictJson(text).ok).toBe(true)
})

describe('strict JSON', () => {
  it.each([
    ['{"a":1,"a":2}', 'duplicate member'],
    ['{"a":{"b":1,"\\u0062":2}}', 'duplicate member'],
    ['{"__proto__":1,"__proto__":2}', 'duplicate member'],
    ['["\\ud800"]', 'half of a surrogate pair'],
    ['{"\\udc00":1}', 'half of a surrogate pair'],
    ['[9007199254740993]', 'cannot carry exactly'],
    ['[-9007199254740993]', 'cannot carry exactly'],
    ['[1e400]', 'too large'],
    ['[1E400]', 'too large'],
    ['[1e+400]', 'too large'],
    ['[-1.5E+400]', 'too large'],
    ['["\\uD800"]', 'half of a surrogate pair'],
    ['["\\udBFF"]', 'half of a surrogate pair'],
    ['["\\uDfFf"]', 'half of a surrogate pair'],
    ['', 'not valid JSON'],
    ['\ufeff{}', 'not valid JSON'],
    ['{"a":1}x', 'not valid JSON'],
    [`${'['.repeat(65)}${']'.repeat(65)}`, 'deeper than 64 levels'],
  ])('refuses %s', (text, reason) => {
    expect(reasonOf(text)).toContain(reason)
    expect(reasonOf(Buffer.from(text))).toContain(reason)
  })

  it.each([
    '{"a:b":"c:d","e\\"":":\\\\"}', '{"a":{"b":1},"c":{"b":2}}', '[9007199254740992,295147905179352830000,-0,1e-400]', '{"":0}', 'null',
    `${'['.repeat(64)}${']'.repeat(64)}`, '"\\ud83d\\ude00"',
  ])('takes %s', (text) => {
    expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown })
  }) // prettier-ignore

  it('makes no value of more members than it may have', () => {
    expect(parseStrictJson('{"a":[{"b":1},{"b":":"}]}', { maxMembers: 3 }).ok).toBe(true)
    expect(parseStrictJson('{"a":[{"b":1},{"b":2}]}', { maxMembers: 2 })).toEqual({
      ok: false,
      reason: 'The JSON has more than 2 members.',
    })
  })

  it('refuses bytes that are not UTF-8', () => {
    for (const bytes of [
      [0x22, 0xff, 0x22],
      [0x22, 0xc0, 0x80, 0x22],
      [0x22, 0xed, 0xa0, 0x80, 0x22],
      [0xff, 0xfe, 0x31, 0],
    ])
      expect(reasonOf(Uint8Array.from(bytes))).toBe('The JSON is not valid UTF-8.')
  })

  it('gives objects that own their members', () => {
    const json = parseStrictJson('{"__proto__":{"polluted":1},"constructor":2}')
    expect(json.ok && Object.keys(json.value as object)).toEqual(['__proto__', 'constructor'])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })

  it('reads whatever JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.boolean(), (value, indented) => {
        const text = JSON.stringify(value, undefined, indented ? 2 : 0)
        expect(parseStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown })
      }),
      { numRuns: 500 },
    )
  })

  it('finds a member that is written twice, wherever it stands', () => {
    const member = fc.tuple(fc.string(), fc.jsonValue())
    fc.assert(
      fc.property(fc.array(member, { minLength: 1, maxLength: 6 }), fc.jsonValue(), fc.nat(), (members, other, at) => {
        const [name] = members[at % members.length]!
        const written = [...new Map(members), [name, other]].map(
          ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`,
        )
        expect(reasonOf(`[{${written.join(',')}}]`)).toContain('duplicate member')
      }),
      { numRuns: 300 },
    )
  })

  it('is quick with a megabyte of anything', async () => {
    const hostile = [
      '['.repeat(1e6),
      `"${'\\\\'.repeat(5e5)}"`,
      `"${'\\"'.repeat(5e5)}"`,
      `[${'1,'.repeat(5e5)}1]`,
      `{${Array.from({ length: 8e4 }, (_, key) => `"${key}":1`).join(',')}}`,
      '9'.repeat(1e6),
    ]
    for (const text of hostile) expect(await leastCpu(1500, () => parseStrictJson(text))).toBeLessThan(1500)
  })
})

describe('canonical JSON', () => {
  it.each([
    ['undefined', undefined], ['a function', () => 1], ['a bigint', 1n], ['a symbol', Symbol('a')], ['not a number', Number.NaN], ['infinity', -Infinity],
    ['half a pair', '\ud800'], ['half a pair as a name', { '\udc00': 1 }], ['an undefined member', { a: undefined }], ['a hole', [1, , 2]], // eslint-disable-line no-sparse-arrays
    ['a date', new Date(0)], ['a map', new Map()], ['bytes', new Uint8Array(1)],
  ] as const)('has no form for %s', (_, value) => {
    expect(() => canonicalText(value)).toThrow(TypeError)
    expect(() => canonicalText({ a: [value] })).toThrow(TypeError)
  }) // prettier-ignore

  it('has no form for what contains itself', () => {
    const self: { [name: string]: unknown } = {}
    self['self'] = [self]
    expect(() => canonicalText(self)).toThrow('contains itself')
  })

  it('is the same whatever the order of members, and is read back as it was', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const text = canonicalText(value)
        expect(canonicalText(JSON.parse(text))).toBe(text)
        expect(canonicalText(reversed(value))).toBe(text)
        expect(parseStrictJson(text).ok).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

function reversed(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (Array.isArray(value)) return value.map(reversed)
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([name, member]) => [name, reversed(member)]),
  )
}
