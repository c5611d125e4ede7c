import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseFully } from '../../../src/compiler/read/parse-fully.js'
import { parse } from '../../../src/compiler/read/parse.js'
import { reportTextHazards } from '../../../src/compiler/read/text-hazards.js'

const examples = ['travel', 'minimal', 'pipeline'].map((name) => readFileSync(`examples/${name}/svc.yaml`, 'utf8'))

/** What people leave half typed, and what YAML does with lines, columns and quotes. */
const PIECES = ['', '\n', ' ', '  ', '\n  ', '\n    ', '\n\n\n', '\t', '\n\t', '- ', ': ', ':', '#', ' # c', '"', "'", '[', ']', '{', '}', ',', '|', '>', '|-\n', '|2\n', '&a ', '*a ', '!x ', '!', '? ', '? a\n  : b\n', '<<: ', '\n---\n', '\n...\n', '%', '@', '`', '\\', '\uFEFF', '\n\uFEFF', '"\n', "'\n", 'word\n', '\nword\n', '\n  word\n', 'a: b: c', '\r\n', '\r', '\n      deeper\n', '"a\\q"', '"a\n b"', 'a\n      b\n'] // prettier-ignore

const change = fc.record({
  at: fc.nat(1_000_000),
  cut: fc.oneof(fc.nat(2), fc.nat(40)),
  piece: fc.constantFrom(...PIECES),
})
const broken = fc
  .record({ text: fc.constantFrom(...examples), changes: fc.array(change, { minLength: 1, maxLength: 3 }) })
  .map(({ text, changes }) =>
    changes.reduce(
      (before, { at, cut, piece }) =>
        before.slice(0, at % before.length) + piece + before.slice((at % before.length) + cut),
      text,
    ),
  )

it('finds the error that the full parser finds, from a window of any length', () => {
  const met = { same: 0, sound: 0 }
  fc.assert(
    fc.property(broken, fc.integer({ min: 20, max: 1500 }), (text, window) => {
      if (!reportTextHazards({ file: 'a', text, base: 0 }, () => undefined)) return
      const [soon, fully] = [parse(text, 0, undefined, window), parseFully(text)]
      expect([soon.reason, soon.position]).toEqual([fully.reason, fully.position])
      met[fully.reason === undefined ? 'sound' : 'same']++
    }),
    { numRuns: Number(process.env['RUNS'] ?? 5000), seed: Number(process.env['SEED'] ?? 5) },
  )
  expect(Math.min(met.same, met.sound)).toBeGreaterThan(500)
}, 600_000)
