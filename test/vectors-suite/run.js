/**
 * `npm test -- vectors [folder]` and `npm test -- hostile [folder]`: the sets of this repository, or those of another folder of the
 * same format (also `VECTORS=folder`). What such a folder lacks, and what is not known here, is named and not run.
 */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'

const SUITES = {
  vectors: ['test/vectors-suite', 'test/runtime/vectors', 'test/runtime/oidc', 'test/compiler/parse', 'test/hostile'],
  hostile: ['test/hostile'],
}
const [suite, folder = process.env.VECTORS] = process.argv.slice(2)
if (folder !== undefined && !existsSync(folder)) {
  console.error(`There is no folder ${folder}.`)
  process.exit(2)
}
const reporter =
  folder === undefined ? [] : ['--reporter=default', `--reporter=${resolve('test/vectors-suite/not-run.js')}`]
const { status } = spawnSync('npx', ['vitest', 'run', ...SUITES[suite], ...reporter], {
  stdio: 'inherit',
  timeout: 30 * 60_000,
  env: { ...process.env, ...(folder !== undefined && { VECTORS: resolve(folder) }) },
})
process.exitCode = status ?? 1
