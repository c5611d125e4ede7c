import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { HOSTILE } from './inputs.js'

/** What one file may cost: CPU, because other processes run beside the tests, and memory beyond that of the process itself. */
const CPU_MS = 1000
const MEMORY_MB = 100

it.each(Object.entries(HOSTILE))(
  'answers within a second and 100 MB: %s',
  (_, text) => {
    const { stdout, stderr } = spawnSync(process.execPath, ['test/hostile/measured-check.js'], {
      input: text(),
      encoding: 'utf8',
      timeout: 60_000,
    })
    expect(stderr).toBe('')
    const { cpu, memory } = JSON.parse(stdout) as Record<'cpu' | 'memory', number>
    expect(cpu).toBeLessThan(CPU_MS)
    expect(memory).toBeLessThan(MEMORY_MB)
  },
  90_000,
)
