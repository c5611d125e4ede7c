import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { singleFaults } from './single-faults.js'

const texts = ['examples/travel/svc.yaml', 'examples/minimal/svc.yaml'].map((file) => readFileSync(file, 'utf8'))

it('gives exactly one finding for one fault', () => {
  fc.assert(
    fc.property(singleFaults(texts), ({ text, kind, where }) => {
      const { diagnostics } = check([{ file: 'svc.yaml', text }])
      expect(
        diagnostics.map(({ code, message, path }) => `${code} ${path}: ${message}`),
        `${kind} at ${where}`,
      ).toHaveLength(1)
    }),
    { numRuns: Number(process.env['RUNS'] ?? 2000), seed: Number(process.env['SEED'] ?? 7) },
  )
}, 300_000)
