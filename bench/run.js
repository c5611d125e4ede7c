/** Runs the benchmarks named on the command line, or all of them: `npm run bench -- cold-start`. */
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const NOT_BENCHMARKS = ['run.js', 'attend.js', 'processes.js', 'servers.js']
const all = readdirSync(folder)
  .filter((name) => (name.endsWith('.js') && !NOT_BENCHMARKS.includes(name)) || isBenchmarkFolder(name))
  .map((name) => name.replace(/\.js$/u, ''))
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`There is no benchmark ${unknown.join(', ')}; there are ${all.join(', ')}.`)
  process.exit(2)
}
for (const name of asked.length > 0 ? asked : all) {
  await import(isBenchmarkFolder(name) ? `./${name}/run.js` : `./${name}.js`)
}

function isBenchmarkFolder(name) {
  return existsSync(join(folder, name, 'run.js'))
}
