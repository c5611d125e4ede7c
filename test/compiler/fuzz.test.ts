import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { schemaJudge } from '../../src/cli/validate/schema-judge.js'
import { check } from '../../src/compiler/check.js'
import { applyFixes } from '../../src/compiler/fix/apply-fixes.js'
import type { Diagnostic } from '../../src/compiler/diagnostics.js'
import { RULES } from '../../src/compiler/rules/index.js'
import { singleFaults } from './single-faults.js'
import { CASES } from '../rules/cases.js'
import { cpuTime, leastCpu } from '../cpu-time.js'

/** What one text may take to be checked; none takes a hundredth of it where nothing runs beside. */
const MOST_CPU_MS = 1000
/** Whatever the published schema refuses, a rule explains. */
const judge = schemaJudge()
const RUNS = Number(process.env['RUNS'] ?? 500)
/** Seeds that once found something (27: a file that began with a blank line hung the checker), and one for every day. */
const SEEDS = process.env['SEED'] === undefined ? [1, 27, 20261121] : [Number(process.env['SEED'])]

const examples = ['travel', 'minimal'].map((name) => readFileSync(`examples/${name}/svc.yaml`, 'utf8'))
const cases = CASES.map((folder) => readFileSync(`${folder}/svc.yaml`, 'utf8')).filter((text) => text.length < 4000)
const codes = new Set(RULES.map(({ code }) => code))

const PIECES = ['', '\n', '  ', ' ', '\t', '- ', ': ', '#', '"', "'", '[', ']', '{', '}', ',', '|', '>', '&a ', '*a', '!x ', '? ', '<<: ', '---\n', '...\n', '%YAML 1.1\n', '\0', '\uFEFF', '\u202E', '\uD800', '\r\n', '1e999', '9007199254740993', '0755', '.nan', 'yes', 'null', '~', '__proto__: {}\n', 'constructor: x\n', '$.steps.', 'x-a: 1\n', 'PT15M', '-1', '[[[[[[', '{a: {a: {a: '] // prettier-ignore
const words = [...new Set(examples.join(' ').split(/[^\w.$-]+/u))]

const edit = fc.record({
  at: fc.nat(1_000_000),
  cut: fc.oneof(fc.nat(3), fc.nat(60)),
  piece: fc.oneof(fc.constantFrom(...PIECES), fc.constantFrom(...words)),
})
const mutated = fc
  .record({ text: fc.constantFrom(...examples, ...cases), edits: fc.array(edit, { minLength: 1, maxLength: 6 }) })
  .map(({ text, edits }) =>
    edits.reduce(
      (before, { at, cut, piece }) =>
        before.slice(0, at % (before.length + 1)) + piece + before.slice((at % (before.length + 1)) + cut),
      text,
    ),
  )

/** Whoever reads files says what is wrong with those that are included; nothing is read here. */
const isOfFiles = ({ code, path }: Diagnostic): boolean => code === 'SVC0190' && /^include\b/u.test(path ?? '')

const isFinding = ({ code, range: { start, end } }: Diagnostic, text: string): boolean =>
  codes.has(code) &&
  code !== 'SVC0012' &&
  code !== 'SVC0190' &&
  start.offset <= end.offset &&
  end.offset <= text.length &&
  start.line >= 1 &&
  start.column >= 1

async function isSane(text: string): Promise<void> {
  const checked = () => check([{ file: 'svc.yaml', text }], { now: 0, preset: 'strict', judge })
  const began = cpuTime()
  const { diagnostics, manifest } = checked()
  if (cpuTime() - began >= MOST_CPU_MS) expect(await leastCpu(MOST_CPU_MS, checked)).toBeLessThan(MOST_CPU_MS)
  // One comparison a text: a hundred thousand texts have a quarter of a million findings.
  expect(diagnostics.filter((each) => !isFinding(each, text) && !isOfFiles(each))).toEqual([])
  expect(manifest === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'))
}

it.each(SEEDS)(
  `answers ${RUNS} mutated manifests, seed %i`,
  (seed) => {
    return fc.assert(fc.asyncProperty(mutated, isSane), { numRuns: RUNS, seed })
  },
  3_600_000,
)

it('mends once and for all, and makes nothing worse', () => {
  const texts = fc.oneof(
    singleFaults(examples).map(({ text }) => text),
    fc.constantFrom(...cases),
  )
  fc.assert(
    fc.property(texts, (text) => {
      const before = check([{ file: 'svc.yaml', text }]).diagnostics
      const [fixed] = applyFixes([{ file: 'svc.yaml', text }], {})
      const after = check([fixed!]).diagnostics
      expect(after.length).toBeLessThanOrEqual(before.length)
      expect(applyFixes([fixed!], {})[0]).toEqual(fixed)
    }),
    { numRuns: 300, seed: 3 },
  )
}, 120_000)
