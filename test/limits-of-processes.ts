/**
 * No test waits for ever for a process that it started: a test that blocks in one is not ended by the limit of the test. Whatever a test
 * starts without a limit of its own, and waits for, is killed after three minutes, and its test fails. Such a test is run
 * once more (`vitest.config.ts`): of some ten thousand processes that Node 20 to 24 ends, one waits for itself
 * (https://github.com/nodejs/node/issues/54918).
 */
import childProcess from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { join } from 'node:path'
import { expect } from 'vitest'
import { folderOfRun } from './limit-of-a-file.js'

const MOST_MS = 3 * 60_000

type Start = (command: string, ...rest: readonly unknown[]) => unknown
const own = childProcess as unknown as { spawnSync: Start; execFileSync: Start; execSync: Start }

/** The options stand last, after arguments where there are any. */
const limited =
  (start: Start): Start =>
  (command, ...rest) => {
    const last = rest.at(-1)
    const hasOptions = typeof last === 'object' && last !== null && !Array.isArray(last)
    const options = { timeout: MOST_MS, killSignal: 'SIGKILL', ...(hasOptions ? last : {}) }
    const result = start(command, ...(hasOptions ? rest.slice(0, -1) : rest), options)
    if (options.timeout === MOST_MS && wasKilled(result)) throw new Error(`never ended: ${command} ${rest.join(' ')}`)
    return result
  }

const wasKilled = (result: unknown): boolean =>
  (result as { error?: { code?: string } } | null)?.error?.code === 'ETIMEDOUT'

for (const name of ['spawnSync', 'execFileSync', 'execSync'] as const) own[name] = limited(own[name])
syncBuiltinESMExports()

const run = folderOfRun(process.ppid)
if (existsSync(run)) writeFileSync(join(run, String(process.pid)), expect.getState().testPath ?? '')
