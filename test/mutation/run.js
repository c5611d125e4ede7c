/** Measures the areas that are named, or all of them: runs Stryker, keeps each score in `scores.json`, and prints the table. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const read = (name) => JSON.parse(readFileSync(here(name), 'utf8'))

const areas = Object.keys(read('areas.json'))
const asked = process.argv.slice(2)
const unknown = asked.filter((area) => !areas.includes(area))
if (unknown.length > 0) throw new Error(`There is no area ${unknown.join(', ')}. Areas are ${areas.join(', ')}.`)

for (const area of asked.length > 0 ? asked : areas) {
  // Snapshots are compared and never written: a mutant that writes one would fail all that come after it.
  const env = { ...process.env, AREA: area, CI: '1' }
  const stryker = here('node_modules/@stryker-mutator/core/bin/stryker.js')
  const { status } = spawnSync(process.execPath, [stryker, 'run', here('stryker.config.js')], {
    env,
    stdio: 'inherit',
    timeout: 4 * 3600_000,
  })
  if (status !== 0) process.exit(status ?? 1)
  if (env.MUTATE === undefined) keep(area, scoreOf(read(`report-${area}.json`)))
}
console.log(tableOf(read('scores.json')))

function scoreOf({ files }) {
  const statuses = Object.values(files).flatMap(({ mutants }) => mutants.map(({ status }) => status))
  const count = (...names) => statuses.filter((status) => names.includes(status)).length
  const [killed, timedOut, survived] = [count('Killed'), count('Timeout'), count('Survived', 'NoCoverage')]
  return { measured: new Date().toISOString().slice(0, 10), mutants: killed + timedOut + survived, killed, timedOut, survived }
} // prettier-ignore

function keep(area, score) {
  const scores = { ...read('scores.json'), [area]: score }
  const known = areas.filter((name) => name in scores).map((name) => [name, scores[name]])
  writeFileSync(here('scores.json'), `${JSON.stringify(Object.fromEntries(known), undefined, 2)}\n`)
}

function tableOf(scores) {
  const rows = Object.entries(scores).map(([area, { measured, mutants, killed, timedOut, survived }]) => {
    const score = `${(((killed + timedOut) / mutants) * 100).toFixed(1)} %`
    return [area, measured, mutants, killed, timedOut, survived, score]
  })
  const heads = ['area', 'measured', 'mutants', 'killed', 'timed out', 'survived', 'score']
  return [heads, ...rows].map((row) => row.map((cell) => String(cell).padEnd(12)).join('').trimEnd()).join('\n')
} // prettier-ignore
