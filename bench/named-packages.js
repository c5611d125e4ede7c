/**
 * Measures the packages that were asked for by name: the CPU time that loading each takes in a fresh process (the
 * least of nine, so that other work on the machine counts little), and its size as installed. Prints the table of docs/decisions/named-packages.md: node bench/named-packages.js
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'

const ROOT = resolve(import.meta.dirname, '..')
const NAMES = ['commander', 'yaml', 'ajv', 'ts-morph', 'jose', 'handlebars', 'vitest']
const RUNS = 9
/** vitest is a program: what a test imports is there only while it runs. */
const ENTRY = { vitest: 'vitest/node' }

const folderOf = (name) => join(ROOT, 'node_modules', name)
const packageOf = (name) => JSON.parse(readFileSync(join(folderOf(name), 'package.json'), 'utf8'))

function bytesIn(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, entry) => sum + statSync(join(entry.parentPath, entry.name)).size, 0)
}

/** The package and what it brings along, each once. */
function withDependencies(name, seen = new Set()) {
  if (seen.has(name) || !existsSync(folderOf(name))) return seen
  seen.add(name)
  for (const each of Object.keys(packageOf(name).dependencies ?? {})) withDependencies(each, seen)
  return seen
}

function loadMs(name) {
  const program = `const from = process.cpuUsage(); await import(${JSON.stringify(ENTRY[name] ?? name)}); const { user, system } = process.cpuUsage(from); console.log((user + system) / 1000)`
  const times = Array.from({ length: RUNS }, () =>
    Number(
      spawnSync(process.execPath, ['--input-type=module', '--eval', program], {
        cwd: ROOT,
        encoding: 'utf8',
        timeout: 30_000,
      }).stdout,
    ),
  )
  return Math.min(...times)
}

const megabytes = (bytes) => (bytes / 1e6).toFixed(1)

console.log('| package | load, ms of CPU | installed, MB | with what it brings, MB |\n| --- | --- | --- | --- |')
for (const name of NAMES) {
  if (!existsSync(folderOf(name))) {
    console.log(`| ${name} | not installed | | |`)
    continue
  }
  const all = [...withDependencies(name)].reduce((sum, each) => sum + bytesIn(folderOf(each)), 0)
  const { version } = packageOf(name)
  console.log(
    `| ${name} ${version} | ${loadMs(name).toFixed(0)} | ${megabytes(bytesIn(folderOf(name)))} | ${megabytes(all)} |`,
  )
}
