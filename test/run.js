/**
 * `npm test`: runs vitest with the arguments given (options as `--name=value`). A file that hung and was killed (`limit-of-a-file.ts`) is run once more, by itself; if it passes then, and
 * nothing else failed, the run has passed, and says which files those were.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'

/** A run ends itself long before (`limit-of-a-run.ts`), but for those of hours that are asked for. */
const MOST_MS = 24 * 3600_000

const folder = mkdtempSync(join(tmpdir(), 'svc-kit-run-'))
const hanging = join(folder, 'hanging')
const failing = join(folder, 'failing')

function run(args) {
  rmSync(hanging, { force: true })
  rmSync(failing, { force: true })
  const env = { ...process.env, TEST_FILES_THAT_HANG: hanging, TEST_FILES_THAT_FAIL: failing }
  const { status } = spawnSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', ...args], {
    stdio: 'inherit',
    env,
    timeout: MOST_MS,
  })
  return { status: status ?? 1, hung: linesOf(hanging), failed: linesOf(failing) }
}

function linesOf(file) {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : []
}

const args = process.argv.slice(2)
const options = args.filter((each) => each.startsWith('-'))
const first = run(args)
let { status } = first
const onlyHung = first.hung.length > 0 && first.failed.every((file) => first.hung.includes(file))
if (status !== 0 && onlyHung) {
  console.error(`\nRun once more, because they hung: ${first.hung.join(', ')}`)
  status = run([...options, ...first.hung]).status
  if (status === 0) console.error(`\nPassed at the second try: ${first.hung.join(', ')}`)
}
rmSync(folder, { recursive: true, force: true })
process.exitCode = status
