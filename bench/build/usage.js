/** Runs a command and prints, as its last line, the CPU seconds and the largest resident set in MB that it used. */
import { spawnSync } from 'node:child_process'

const run = spawnSync('/usr/bin/time', ['-f', '%U %S %M', ...process.argv.slice(2)], {
  encoding: 'utf8',
  timeout: 300_000,
  maxBuffer: 2 ** 28,
  stdio: ['ignore', 'ignore', 'pipe'],
})
if (run.error !== undefined) throw new Error('This benchmark needs /usr/bin/time (the package `time`).')
const [user, system, kilobytes] = run.stderr.trim().split('\n').at(-1).split(' ').map(Number)
process.stdout.write(`${JSON.stringify({ status: run.status, cpu: user + system, rss: kilobytes / 1024 })}\n`)
