/** One edit of a manifest while `svc build --watch` runs: CPU time of the watcher from the save until it is built. */
import { spawn, execFileSync } from 'node:child_process'
import { on } from 'node:events'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { manifestOf } from '../build/manifest.js'

const root = resolve(import.meta.dirname, '../..')
const EDITS = Number(process.env.EDITS ?? 15)
const SIZES = (process.env.SIZES ?? '10,100,1000').split(',').map(Number)
const TICKS = Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8', timeout: 10_000 }))

/** CPU ms that a process has used so far. */
function cpuOf(pid) {
  const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /u, '')
    .split(' ')
  return ((Number(user) + Number(system)) * 1000) / TICKS
}

function project(size, hasMain) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-bench-watch-'))
  writeFileSync(join(folder, 'svc.yaml'), manifestOf(size))
  for (const name of ['package.json', ...(hasMain ? ['main.ts'] : [])])
    copyFileSync(join(root, 'examples/minimal', name), join(folder, name))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(root, join(folder, 'node_modules/svc-kit'))
  return folder
}

/** CPU ms of each of some edits of one description. */
async function measure(size, hasMain) {
  const folder = project(size, hasMain)
  const watcher = spawn(process.execPath, [join(root, 'bin/svc.cjs'), 'build', '--watch', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const lines = createInterface({ input: watcher.stderr })
  const built = async () => {
    for await (const [line] of on(lines, 'line')) if (line.startsWith('built in')) break
    // What is left to do after the last line: collecting garbage, waiting for events.
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  await built()
  const used = []
  for (let edit = 1; edit <= EDITS; edit++) {
    const before = cpuOf(watcher.pid)
    writeFileSync(join(folder, 'svc.yaml'), manifestOf(size).replace(' number 5,', ` number 5, edit ${edit},`))
    await built()
    used.push(cpuOf(watcher.pid) - before)
  }
  watcher.kill()
  rmSync(folder, { recursive: true, force: true })
  return used.sort((a, b) => a - b)
}

const rows = []
for (const size of SIZES)
  for (const hasMain of [false, true]) {
    const used = await measure(size, hasMain)
    rows.push({
      capabilities: size,
      bundles: hasMain ? 'server and client' : 'client',
      'median CPU ms': Math.round(used[Math.floor(used.length / 2)]),
      'least CPU ms': Math.round(used[0]),
    })
  }
console.log('\nrebuild in the watcher after one edit')
console.table(rows)
