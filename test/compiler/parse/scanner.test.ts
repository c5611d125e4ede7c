import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { Finding } from '../../../src/compiler/finding.js'
import { parseDocument } from '../../../src/compiler/parse/read-document.js'
import { scanDocument } from '../../../src/compiler/parse/scan/scan-block.js'
import { reportTextHazards } from '../../../src/compiler/parse/text-hazards.js'
import { CASES } from '../../rules/cases.js'
import { singleFaults } from '../single-faults.js'

/** What the full parser makes of a text, and says of it. */
function parsed(text: string) {
  const findings: Finding[] = []
  const root = parseDocument({ file: 'a', text, base: 0 }, (code, spot, message, details) =>
    findings.push({ code, spot, message, ...details }),
  )
  return { root, findings }
}

/** The scanner sees only what passed the look at the text itself. */
const isText = (text: string): boolean => reportTextHazards({ file: 'a', text, base: 0 }, () => undefined)

function agrees(text: string): boolean {
  if (!isText(text)) return false
  const { root, findings } = scanDocument(text, 0)
  if (root !== undefined) expect({ root, findings }).toEqual(parsed(text))
  return root !== undefined
}

const examples = ['travel', 'minimal'].map((name) => readFileSync(`examples/${name}/svc.yaml`, 'utf8'))
const cases = CASES.flatMap((folder) =>
  ['svc.yaml', 'good.yaml'].map((file) => readFileSync(`${folder}/${file}`, 'utf8')),
)
const suite = (
  JSON.parse(readFileSync('test/vectors/yaml-test-suite/cases.json', 'utf8')) as readonly { readonly yaml: string }[]
).map(({ yaml }) => yaml)

it('reads the examples without the full parser', () => {
  expect(examples.map(agrees)).toEqual([true, true])
})

it('reads every case of the rules, and of the YAML test suite, as the full parser does, or leaves it alone', () => {
  const read = [...cases, ...suite].filter(agrees)
  expect(read.length).toBeGreaterThan(500)
})

it('agrees with the full parser on documents with one fault', () => {
  fc.assert(
    fc.property(singleFaults(examples), ({ text }) => void agrees(text)),
    { numRuns: 500, seed: 1 },
  )
})

const PIECES = ['a', 'b: ', ': ', '- ', '  ', '\n', '\n  ', '\n    ', '# c', ' #', '"', "'", '[', ']', '{', '}', ', ', ',', '|', '>', '|-\n', '1', '-1', '1.5', 'true', 'null', '~', 'é', ':', '.', '$.a', '\t', '&a', '*a', '!', '?', '\\', 'key: value\n', 'list:\n', '- item\n', '\r\n', '\r', '---\n', '\n--- ', '<<: ', '? ', '|2\n', '"a\\n"', "'it''s'", 'capabilities:\n  '] // prettier-ignore

it('agrees with the full parser on any pieces of YAML', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...PIECES), { maxLength: 24 }).map((pieces) => pieces.join('')),
      (text) => void agrees(text),
    ),
    { numRuns: Number(process.env['RUNS'] ?? 20_000), seed: Number(process.env['SEED'] ?? 5) },
  )
}, 120_000)

it('agrees with the full parser on examples with a few characters changed', () => {
  const edits = fc.array(fc.record({ at: fc.nat(100_000), cut: fc.nat(3), piece: fc.constantFrom(...PIECES) }), {
    minLength: 1,
    maxLength: 3,
  })
  fc.assert(
    fc.property(fc.constantFrom(...examples, ...cases.slice(0, 50)), edits, (example, changes) => {
      const text = changes.reduce(
        (before, { at, cut, piece }) =>
          before.slice(0, at % before.length) + piece + before.slice((at % before.length) + cut),
        example,
      )
      agrees(text)
    }),
    { numRuns: Number(process.env['RUNS'] ?? 3000), seed: Number(process.env['SEED'] ?? 5) },
  )
}, 120_000)
