/**
 * `npm test [-- tag] [-- arguments]`: runs vitest with the arguments given (options as `--name=value`), or what a tag of `tags.js` names. A file that hung and was
 * killed (`limit-of-a-file.ts`) is run once more, by itself; if it passes then, and nothing else failed, the run has passed and names those files.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import process from 'node:process'
import { TAGS } from './tags.js'

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

/** Runs all files of the arguments, and once more those that hung, where nothing else failed. */
function runTwice(args) {
  const first = run(args)
  const onlyHung = first.hung.length > 0 && first.failed.every((file) => first.hung.includes(file))
  if (first.status === 0 || !onlyHung) return first.status
  console.error(`\nRun once more, because they hung: ${first.hung.join(', ')}`)
  const { status } = run([...args.filter((each) => each.startsWith('-')), ...first.hung])
  if (status === 0) console.error(`\nPassed at the second try: ${first.hung.join(', ')}`)
  return status
}

function runScript([file, ...words], args) {
  const { status } = spawnSync(process.execPath, [file, ...words, ...args], { stdio: 'inherit', timeout: MOST_MS })
  return status ?? 1
}

function runTag({ config, folders = [], script }, args) {
  if (script !== undefined) return runScript(script, args)
  return runTwice([...(config === undefined ? [] : [`--config=${config}`]), ...folders, ...args])
}

function listTags() {
  const width = Math.max(...Object.keys(TAGS).map((tag) => tag.length))
  return Object.entries(TAGS)
    .map(([tag, { about }]) => `  ${tag.padEnd(width)}  ${about}`)
    .join('\n')
}

const [tag, ...rest] = process.argv.slice(2)
if (tag === 'tags') console.log(`npm test -- <tag>\n\n${listTags()}`)
else process.exitCode = Object.hasOwn(TAGS, tag ?? '') ? runTag(TAGS[tag], rest) : runTwice(process.argv.slice(2))
rmSync(folder, { recursive: true, force: true })
