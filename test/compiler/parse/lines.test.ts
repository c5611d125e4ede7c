import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lineAt, linesBetween, linesWith, type LineIndex } from '../../../src/compiler/explain/layout/lines.js'
import { lineStarts } from '../../../src/compiler/parse/sources.js'

const linesOf = (text: string): LineIndex => ({ text, starts: lineStarts(text) })

it('cuts lines out of a text as a split does', () => {
  expect(linesBetween(linesOf('a:\n  b: 1\n\n'), 0, 4)).toEqual(['a:', '  b: 1', '', ''])
  expect(lineAt(linesOf('a\nb'), 1)).toBe('b')
})

it('writes some lines otherwise', () => {
  const line = fc.string({ maxLength: 5, unit: fc.constantFrom('a', ' ', '-') })
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), fc.array(fc.tuple(fc.nat(20), line)), (before, edits) => {
      const changed = new Map(edits.map(([at, text]) => [at % before.length, text]))
      const after = before.map((text, at) => changed.get(at) ?? text).join('\n')
      expect(linesWith(linesOf(before.join('\n')), changed)).toEqual(linesOf(after))
    }),
  )
})
