import { readFileSync } from 'node:fs'
import { globSync } from 'tinyglobby'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { schemaJudge } from '../../src/cli/validate/schema-judge.js'
import { check } from '../../src/compiler/check.js'
import { layoutFaults } from './layout-faults.js'
import { singleFaults } from './single-faults.js'

const texts = ['examples/travel/svc.yaml', 'examples/minimal/svc.yaml'].map((file) => readFileSync(file, 'utf8'))
const examples = globSync('examples/*/svc.yaml').map((file) => readFileSync(file, 'utf8'))
/** What both judges find. */
const judge = schemaJudge()

it('gives exactly one finding for one fault', () => {
  fc.assert(
    fc.property(singleFaults(texts), ({ text, kind, where }) => {
      const { diagnostics } = check([{ file: 'svc.yaml', text }], { judge })
      expect(
        diagnostics.map(({ code, message, path }) => `${code} ${path}: ${message}`),
        `${kind} at ${where}`,
      ).toHaveLength(1)
    }),
    { numRuns: Number(process.env['RUNS'] ?? 1000), seed: Number(process.env['SEED'] ?? 7) },
  )
}, 300_000)

// What is inside of a schema is judged as a schema: a slip of layout there may be two or three findings (SVC2801, SVC2802).
it('gives at most one error for one slip in the layout, and in most cases on its line or beside it', () => {
  let count = 0
  let beside = 0
  fc.assert(
    fc.property(layoutFaults(examples.filter((text) => !text.includes('x-schema'))), ({ text, kind, line }) => {
      const { diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal', judge })
      expect(
        diagnostics.map(({ code, range, message }) => `${range.start.line} ${code}: ${message}`),
        `${kind} at ${line}`,
      ).toSatisfy((found: readonly string[]) => found.length < 2)
      count++
      if (diagnostics.every(({ range }) => Math.abs(range.start.line - line) < 2)) beside++
    }),
    { numRuns: Number(process.env['RUNS'] ?? 200), seed: Number(process.env['SEED'] ?? 7) },
  )
  expect(beside / count).toBeGreaterThan(0.98)
}, 300_000)
