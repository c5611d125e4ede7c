/**
 * `svc diff` of two manifests beside `svc validate` of both: CPU time of whole processes, cold, in turns. The aim is at
 * most 1.5 times.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { manifestOf } from './build/manifest.js'
import { measure } from './processes.js'

const bin = resolve(import.meta.dirname, '../bin/svc.cjs')
const ROUNDS = Number(process.env.ROUNDS ?? 5)
const SIZES = (process.env.SIZES ?? '10,100,1000').split(',').map(Number)

const cpuOf = (...command) => measure(['node', bin, ...command]).cpu
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

const rows = SIZES.map((size) => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-diff-'))
  const [before, after] = ['before.yaml', 'after.yaml'].map((name) => join(folder, name))
  writeFileSync(before, manifestOf(size))
  writeFileSync(after, manifestOf(size).replaceAll('required: always', 'required: handler'))
  const turns = Array.from({ length: ROUNDS }, () => ({
    both: cpuOf('validate', before) + cpuOf('validate', after),
    diff: cpuOf('diff', before, after, '--fail-on', 'never'),
  }))
  rmSync(folder, { recursive: true, force: true })
  const [both, diff] = ['both', 'diff'].map((name) => Math.round(median(turns.map((turn) => turn[name]))))
  return { capabilities: size, 'validate of both': both, diff, ratio: Number((diff / both).toFixed(2)) }
})
console.log('svc diff and svc validate of both, whole processes, CPU ms')
console.table(rows)
if (rows.some(({ ratio }) => ratio > 1.5)) process.exitCode = 1
