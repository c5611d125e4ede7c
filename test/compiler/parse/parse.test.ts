import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Finding, Report } from '../../../src/compiler/finding.js'
import { parseFully } from '../../../src/compiler/parse/parse-fully.js'
import { parse } from '../../../src/compiler/parse/parse.js'
import { parseDocument, readDocument } from '../../../src/compiler/parse/read-document.js'
import { reportTextHazards } from '../../../src/compiler/parse/text-hazards.js'

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
    { numRuns: Number(process.env['RUNS'] ?? 1500), seed: Number(process.env['SEED'] ?? 5) },
  )
  expect(Math.min(met.same, met.sound)).toBeGreaterThan(150)
}, 600_000)

it('ends a list where its bracket stands, also after a pair without brackets', () => {
  const { root } = read('a: [b, c: d]\ne: [f]\n', readDocument)
  expect(root).toMatchObject({ values: [{ end: 7 + 12, items: [{}, { kind: 'map', end: 7 + 11 }] }, {}] })
})

function read(text: string, how: typeof parseDocument) {
  const findings: Finding[] = []
  const report: Report = (code, spot, message, details) => findings.push({ code, spot, message, ...details })
  return { root: how({ file: 'a', text, base: 7 }, report), findings }
}

const isOfText = ({ code }: Finding): boolean => !['SVC0126', 'SVC5101', 'SVC5102'].includes(code)
const byPlace = (one: Finding, other: Finding): number => one.spot.start - other.spot.start

it('reads what is broken, and says of it, as the full parser alone', () => {
  fc.assert(
    fc.property(broken, fc.boolean(), (lines, isForeign) => {
      const text = isForeign ? lines.replaceAll(/\r?\n/gu, '\r\n') : lines
      const [soon, fully] = [read(text, readDocument), read(text, parseDocument)]
      if (soon.findings.some(({ code }) => code === 'SVC0104')) return
      expect(soon.root).toEqual(fully.root)
      expect(soon.findings.filter(isOfText).toSorted(byPlace)).toEqual(
        fully.findings.filter(isOfText).toSorted(byPlace),
      )
    }),
    { numRuns: Number(process.env['RUNS'] ?? 700), seed: Number(process.env['SEED'] ?? 5) },
  )
}, 600_000)
