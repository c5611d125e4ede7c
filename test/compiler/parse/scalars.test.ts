/** How words and numbers without quotes are read, here and by those who know YAML 1.1; which tags may stand on them. */
import { describe, expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { isOldDate, isOldNumber, oldBooleanOf, plainScalar } from '../../../src/compiler/parse/scalars.js'
import { tagTrouble } from '../../../src/compiler/parse/tags.js'
import type { YamlNode } from '../../../src/compiler/parse/tree.js'

describe('a value without quotes', () => {
  it.each(['', '~', 'null', 'Null', 'NULL'])('%j is nothing', (text) => {
    expect(plainScalar(text)).toBeNull()
  })

  it.each([
    ['true', true],
    ['True', true],
    ['TRUE', true],
    ['false', false],
    ['False', false],
    ['FALSE', false],
  ])('%s is %s', (text, flag) => {
    expect(plainScalar(text)).toBe(flag)
  })

  it.each([
    ['0o17', 15],
    ['0xff', 255],
    ['+7', 7],
    ['-0.5', -0.5],
    ['2E-3', 0.002],
    ['-1e+2', -100],
  ])('%s is the number %d', (text, number) => {
    expect(plainScalar(text)).toBe(number)
  })

  it.each(['nULL', 'tRUE', 'yes', 'no', 'None', 'nil', '0o8', '0xg', '0b1', '1_000', '1e', '--1', '1.0.0', '+', '-', '1:30', '12a'])(
    '%s is a text',
    (text) => {
      expect(plainScalar(text)).toBe(text)
    },
  ) // prettier-ignore

  it.each([
    ['.inf', 'not-finite'],
    ['-.INF', 'not-finite'],
    ['+.Inf', 'not-finite'],
    ['.nan', 'not-finite'],
    ['.NaN', 'not-finite'],
    ['1e999', 'not-finite'],
    ['9007199254740992', 'too-big'],
    ['-9007199254740992', 'too-big'],
    ['0x20000000000000', 'too-big'],
  ])('%s is a number that JSON cannot hold: %s', (text, trouble) => {
    expect(plainScalar(text)).toEqual({ value: text, trouble })
  })

  it.each(['-9007199254740991', '0x1FFFFFFFFFFFFF', '1e300', '9007199254740992.5'])('%s is one that it can', (text) => {
    expect(plainScalar(text)).toBe(Number(text))
  })
})

describe('what YAML 1.1 reads otherwise', () => {
  it.each([
    ['yes', true], ['Yes', true], ['YES', true], ['y', true], ['Y', true], ['on', true], ['On', true], ['ON', true],
    ['no', false], ['No', false], ['NO', false], ['n', false], ['N', false], ['off', false], ['Off', false], ['OFF', false],
    ['yEs', undefined], ['oFF', undefined], ['true', undefined], ['none', undefined], ['', undefined],
  ])('the word %j: %s', (word, flag) => {
    expect(oldBooleanOf(word)).toBe(flag)
  }) // prettier-ignore

  it.each(['0755', '-017', '0b101', '0b1_0', '1_000', '1_000.5', '12:30', '1:2:3', '190:20:30.15', '+1_0'])(
    'the number %s',
    (text) => {
      expect(isOldNumber(text)).toBe(true)
    },
  )

  it.each(['0', '10', '1.5', '0.5', '089', '0x1f', '12:60', '0:30', '1e3', '_1', '1.0.0', 'a'])('not %s', (text) => {
    expect(isOldNumber(text)).toBe(false)
  })

  it.each([
    '2026-01-02',
    '2026-1-2',
    '2026-01-02T03:04:05Z',
    '2026-01-02t3:04:05',
    '2026-01-02 03:04:05.5 +01:00',
    '2026-01-02 03:04:05 -0130',
    '2026-01-02T03:04:05+1',
  ])('the date %s', (text) => {
    expect(isOldDate(text)).toBe(true)
  })

  it.each(['26-01-02', '2026-001-02', '2026-01', '2026-01-02T03:04', '2026-01-02T03:04:05X', 'v2026-01-02', '2026/01/02'])(
    'not %s',
    (text) => {
      expect(isOldDate(text)).toBe(false)
    },
  ) // prettier-ignore
})

describe('a tag', () => {
  const node = (kind: string) => ({ kind }) as YamlNode

  it.each([
    ['!!str', 'scalar'],
    ['!!map', 'map'],
    ['!!seq', 'list'],
    ['!', 'scalar'],
    ['!', 'map'],
    ['!', 'list'],
  ])('%s may stand on a %s', (tag, kind) => {
    expect(tagTrouble(tag, node(kind))).toBeUndefined()
  })

  it.each([
    ['!!str', 'map'],
    ['!!str', 'list'],
    ['!!map', 'list'],
    ['!!map', 'scalar'],
    ['!!seq', 'map'],
    ['!!seq', 'scalar'],
  ])('%s does not fit a %s', (tag, kind) => {
    expect(tagTrouble(tag, node(kind))).toBe(`The tag \`${tag}\` does not fit its value; remove it.`)
  })

  it.each(['!!int', '!!float', '!!bool', '!!null', '!!binary', '!!set', '!!omap', '!!timestamp', '!Ref', '!!js/function'])(
    '%s may not stand at all',
    (tag) => {
      expect(tagTrouble(tag, node('scalar'))).toBe(`The tag \`${tag}\` is not allowed; write the value plainly.`)
    },
  ) // prettier-ignore

  it('is told as far as eighty characters', () => {
    expect(tagTrouble(`!${'t'.repeat(80)}`, node('scalar'))).toBe(
      `The tag \`!${'t'.repeat(79)}\` is not allowed; write the value plainly.`,
    )
  })
})

describe('a character that no manifest needs', () => {
  const codesIn = (text: string) =>
    check([{ file: 'svc.yaml', text }]).diagnostics.filter(({ code }) => code === 'SVC0104')

  it.each([
    ['\u0000', 'U+0000'],
    ['\u0007', 'U+0007'],
    ['\u0008', 'U+0008'],
    ['\u000B', 'U+000B'],
    ['\u000C', 'U+000C'],
    ['\u000E', 'U+000E'],
    ['\u001B', 'U+001B'],
    ['\u001F', 'U+001F'],
    ['\u007F', 'U+007F'],
    ['\u0080', 'U+0080'],
    ['\u0084', 'U+0084'],
    ['\u0086', 'U+0086'],
    ['\u009F', 'U+009F'],
    ['\uFFFE', 'U+FFFE'],
    ['\uFFFF', 'U+FFFF'],
    ['\uD800', 'U+D800'],
    ['\uDC00', 'U+DC00'],
  ])('is %j', (character, name) => {
    expect(codesIn(`# a${character}b\n`).map(({ message }) => message)).toEqual([
      `The character ${name} may not stand in a manifest; remove it or write it as an escape in double quotes.`,
    ])
  })

  it.each(['\t', '\r', '\u0020', '\u0085', '\u00A0', '\uE000', '\uFFFC', '\u{1F600}'])('is not %j', (character) => {
    expect(codesIn(`# a${character}b\n`)).toEqual([])
  })

  it('is what a decoder writes for bytes that are no UTF-8, and all of a file in UTF-16', () => {
    expect(codesIn('# a\uFFFDb\n').map(({ message }) => message)).toEqual([
      'The file is not valid UTF-8 here; save it as UTF-8.',
    ])
    expect(codesIn('\uFFFD\uFFFDa\u0000b\u0000').map(({ message }) => message)).toEqual([
      'The file is UTF-16; save it as UTF-8.',
    ])
  })
})
