/**
 * Measures whole processes: CPU time (user and system) and memory of each command, in turn, so that a machine's drift meets all
 * alike.
 */
import { spawnSync } from 'node:child_process'

/** CPU time of one run in ms, and its exit code. */
export function measure(command, cwd = process.cwd()) {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env
  const run = spawnSync('bash', ['-c', `TIMEFORMAT='%U %S'; time "$@" > /dev/null 2>&1`, 'bash', ...command], {
    cwd,
    env,
    timeout: 300_000,
    encoding: 'utf8',
  })
  const [user = NaN, system = NaN] = run.stderr.trim().split('\n').at(-1).split(' ').map(Number)
  return { cpu: (user + system) * 1000, code: run.status }
}

/** The largest resident set of one run, in MB; undefined where GNU time is not installed. */
function memory(command, cwd) {
  const { NODE_EXTRA_CA_CERTS: _, NODE_OPTIONS: __, ...env } = process.env
  const options = { cwd, env, encoding: 'utf8', stdio: ['ignore', 'ignore', 'pipe'] }
  const run = spawnSync('/usr/bin/time', ['-f', '%M', ...command], { timeout: 300_000, ...options })
  return run.error === undefined ? Math.round(Number(run.stderr.trim().split('\n').at(-1)) / 1024) : undefined
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)]

/**
 * Runs the named commands in turn, `rounds` times after one warm-up.
 * Gives the median CPU time in ms of each, and its ratio to the first, as the median of the ratios of each round.
 */
export function compare(commands, { rounds = 15, cwd = process.cwd(), expect = 0 } = {}) {
  const names = Object.keys(commands)
  const runs = Object.fromEntries(names.map((name) => [name, []]))
  for (let round = -1; round < rounds; round++) {
    for (const name of names) {
      const { cpu, code } = measure(commands[name], cwd)
      if (code !== expect) throw new Error(`${name} exited ${code}: ${commands[name].join(' ')}`)
      if (round >= 0) runs[name].push(cpu)
    }
  }
  const base = runs[names[0]]
  return names.map((name) => ({
    name,
    'CPU ms': Math.round(median(runs[name])),
    min: Math.round(Math.min(...runs[name])),
    max: Math.round(Math.max(...runs[name])),
    MB: memory(commands[name], cwd),
    [`times ${names[0]}`]: Number(median(runs[name].map((cpu, round) => cpu / base[round])).toFixed(2)),
  }))
}
