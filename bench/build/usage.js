/** Runs a command and prints, as its last line, the CPU seconds and the largest resident set in MB that it used. */
import { spawnSync } from 'node:child_process'

const [command, ...args] = process.argv.slice(2)
const script = `TIMEFORMAT='%U %S'; time "$@" > /dev/null`
const started = process.resourceUsage()
const { status, stderr } = spawnSync('bash', ['-c', script, 'bash', command, ...args], {
  encoding: 'utf8',
  maxBuffer: 2 ** 28,
})
const [user, system] = stderr.trim().split('\n').at(-1).split(' ').map(Number)
const peak = peakOf(started)
process.stdout.write(`${JSON.stringify({ status, cpu: user + system, rss: peak })}\n`)

/** Of the children, as the kernel counts it; this process itself is small. */
function peakOf() {
  const run = spawnSync('bash', ['-c', 'command -v /usr/bin/time'], { encoding: 'utf8' })
  if (run.status !== 0) return Number.NaN
  const timed = spawnSync('/usr/bin/time', ['-f', '%M', command, ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  return Number(timed.stderr.trim().split('\n').at(-1)) / 1024
}
