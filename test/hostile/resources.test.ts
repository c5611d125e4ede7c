import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { HOSTILE } from './inputs.js'

/**
 * What one file may cost: CPU, because other processes run beside the tests, and memory beyond that of the process itself. A second is the
 * promise; beside other work the same text takes up to twice as much CPU, so twice as much is what fails.
 */
const CPU_MS = 2000
const MEMORY_MB = 100

const costOf = (text: string): { readonly cpu: number; readonly memory: number } => {
  const { stdout, stderr } = spawnSync(process.execPath, ['test/hostile/measured-check.js'], {
    input: text,
    encoding: 'utf8',
    timeout: 60_000,
  })
  expect(stderr).toBe('')
  return JSON.parse(stdout) as { readonly cpu: number; readonly memory: number }
}

/** What runs beside a process makes its CPU time longer, never shorter: the quickest of three counts. */
function leastCostOf(text: string) {
  const first = costOf(text)
  return first.cpu < CPU_MS ? first : [first, costOf(text), costOf(text)].toSorted((a, b) => a.cpu - b.cpu)[0]!
}

it.each(Object.entries(HOSTILE))(
  'takes at most 2 s of CPU and 100 MB: %s',
  (_, text) => {
    const { cpu, memory } = leastCostOf(text())
    expect(cpu).toBeLessThan(CPU_MS)
    expect(memory).toBeLessThan(MEMORY_MB)
  },
  90_000,
)
