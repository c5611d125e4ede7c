/**
 * Measures the areas that are named, or all of them: runs Stryker, keeps the score of each file in `scores.json`, and prints
 * the table. `--changed` measures only files that are not as they were when they were measured; `--check` measures
 * nothing, and fails where there are any.
 */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { areas, changedFilesOf, digestOf, filesOf, scores } from './scores.js'

const here = (name) => fileURLToPath(new URL(name, import.meta.url))
const options = process.argv.slice(2).filter((word) => word.startsWith('--'))
const asked = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const unknown = asked.filter((area) => !(area in areas))
if (unknown.length > 0)
  throw new Error(`There is no area ${unknown.join(', ')}. Areas are ${Object.keys(areas).join(', ')}.`)
const strange = options.filter((option) => !['--changed', '--check'].includes(option))
if (strange.length > 0) throw new Error(`There is no option ${strange.join(', ')}. Options are --changed and --check.`)
const named = asked.length > 0 ? asked : Object.keys(areas)

if (!options.includes('--check')) for (const area of named) measure(area)
console.log(tableOf(scores()))
const changed = named.flatMap((area) => changedFilesOf(area).map((file) => `${area}: ${file}`))
if (changed.length > 0) console.log(`\nNot as they were when they were measured:\n${changed.join('\n')}`)
if (options.includes('--check') && changed.length > 0) process.exit(1)

function measure(area) {
  const files =
    process.env['MUTATE']?.split(' ') ?? (options.includes('--changed') ? changedFilesOf(area) : filesOf(area))
  if (files.length === 0) return
  // Snapshots are compared and never written: a mutant that writes one would fail all that come after it.
  const env = { ...process.env, AREA: area, CI: '1', MUTATE: files.join(' ') }
  const stryker = here('node_modules/@stryker-mutator/core/bin/stryker.js')
  // Lines of a file have no score of their own.
  const whole = files.filter((file) => filesOf(area).includes(file))
  const digests = Object.fromEntries(whole.map((file) => [file, digestOf(file)]))
  const { status } = spawnSync(process.execPath, [stryker, 'run', here('stryker.config.js')], {
    env,
    stdio: 'inherit',
    timeout: 4 * 3600_000,
  })
  if (status !== 0) process.exit(status ?? 1)
  if (whole.length > 0) keep(area, digests, JSON.parse(readFileSync(here(`report-${area}.json`), 'utf8')))
}

/** A file that nothing can be changed in has a score, too. */
function keep(area, digests, report) {
  const measured = { measured: new Date().toISOString().slice(0, 10), commit: commit() }
  const made = Object.entries(digests).map(([file, digest]) => {
    const mutants = report.files[file]?.mutants ?? []
    return [file, { ...measured, digest, ...scoreOf(mutants.map(({ status }) => status)) }]
  })
  const known = Object.entries(scores()[area] ?? {}).filter(([file]) => filesOf(area).includes(file))
  const files = Object.entries({ ...Object.fromEntries(known), ...Object.fromEntries(made) }).sort(([one], [other]) =>
    one < other ? -1 : 1,
  )
  const all = { ...scores(), [area]: Object.fromEntries(files) }
  const sorted = Object.keys(areas).flatMap((name) => (name in all ? [[name, all[name]]] : []))
  writeFileSync(here('scores.json'), `${JSON.stringify(Object.fromEntries(sorted), undefined, 2)}\n`)
}

function commit() {
  const { stdout } = spawnSync('git', ['rev-parse', '--short=8', 'HEAD'], { encoding: 'utf8', timeout: 10_000 })
  return stdout.trim()
}

function scoreOf(statuses) {
  const count = (...names) => statuses.filter((status) => names.includes(status)).length
  return { killed: count('Killed'), timedOut: count('Timeout'), survived: count('Survived', 'NoCoverage') }
}

function tableOf(scores) {
  const rows = Object.entries(scores).map(([area, files]) => {
    const all = Object.values(files)
    const sum = (name) => all.reduce((total, file) => total + file[name], 0)
    const [killed, timedOut, survived] = [sum('killed'), sum('timedOut'), sum('survived')]
    const mutants = killed + timedOut + survived
    const since = all.map(({ measured }) => measured).sort()[0]
    return [area, since, mutants, killed, timedOut, survived, `${(((killed + timedOut) / mutants) * 100).toFixed(1)} %`]
  })
  const heads = ['area', 'measured', 'mutants', 'killed', 'timed out', 'survived', 'score']
  return [heads, ...rows].map((row) => row.map((cell) => String(cell).padEnd(12)).join('').trimEnd()).join('\n')
} // prettier-ignore
