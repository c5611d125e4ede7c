import fc from 'fast-check'
import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { textOfYaml } from '../../../src/compiler/openapi/yaml-text.js'

/** Where imports write a scalar: beside a name, in a list of a line, in an object of a line. */
const PLACES: readonly (readonly [string, (text: string) => string, (value: never) => unknown])[] = [
  ['beside a name', (text) => `a: ${text}\nb: 1\n`, ({ a }) => a],
  ['in a list', (text) => `a: [${text}, 1]\n`, ({ a }) => a[0]],
  ['in an object', (text) => `a: { b: ${text}, c: 1 }\n`, ({ a }) => a['b']],
]

const READERS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['yaml', (text) => parse(text) as unknown],
  ['js-yaml', (text) => load(text)],
]

const HOSTILE = [
  "it's", "it's the traveller's", "'", "''", "'''", "a'b'c", "' }, x: { y: '", "'\n# x", '"', '\\', '#', 'a #b', 'a: b', 'a:', '- a', '? a', '& a', '*a', '!a', '|', '>', '%a', '@a', '`a',
  '', ' ', ' a', 'a ', 'null', 'Null', '~', 'true', 'NO', 'y', '1', '1.0', '0x1', '1e3', '.inf', '2026-01-01', '=', '<<', '---', '...', '[a]', '{a}', 'a,b', 'a]', 'a}', '\t', 'a\nb', '\u2028', '\u0000', '\u007f', '\ufeff', '\ufffd', '💡',
] as const // prettier-ignore

describe.each(PLACES)('a scalar %s', (_, written, at) => {
  it.each(READERS)('is read as it was by %s, whatever it is', (_reader, read) => {
    const same = (value: string | number | boolean) => {
      expect([value, at(read(written(textOfYaml(value))) as never)]).toEqual([value, value])
    }
    for (const value of HOSTILE) same(value)
    const unit = fc.constantFrom(...'\'"\\#:,-[]{}&*!|>%@ \nab1~.é')
    fc.assert(fc.property(fc.string({ unit }), same), { numRuns: 500 })
    fc.assert(fc.property(fc.oneof(fc.boolean(), fc.integer(), fc.string({ unit: 'grapheme' })), same))
  })
})
