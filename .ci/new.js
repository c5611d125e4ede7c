/**
 * `npm run new <folder>`: a service of the travel template in a folder of its own, with this checkout as its svc-kit.
 * The package is packed into `vendor/`, so that the folder installs anywhere.
 */
import { spawnSync } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import process from 'node:process'

/** Packing and installing take a minute on a slow machine. */
const MOST_MS = 10 * 60_000

const NPM = process.env.npm_execpath
const root = resolve(import.meta.dirname, '..')
const [given, ...others] = process.argv.slice(2)

function refuse(message) {
  console.error(`npm run new: ${message}`)
  process.exit(2)
}

function step(say, file, args, options = {}) {
  console.error(`${say} …`)
  const { status, stdout } = spawnSync(process.execPath, [file, ...args], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'inherit'],
    timeout: MOST_MS,
    ...options,
  })
  if (status !== 0) refuse(`${say} failed${stdout ? `:\n${stdout}` : '.'}`)
  return stdout
}

if (given === undefined || others.length > 0) refuse('name one folder, such as: npm run new ../shop')
if (NPM === undefined) refuse('run it by npm: npm run new ../shop')
// npm runs a script in the folder of its package; a path is meant from where it was typed.
const folder = resolve(process.env.INIT_CWD ?? '.', given)
if (existsSync(folder) && readdirSync(folder).length > 0) refuse(`${given} is not empty. Name another folder.`)

const packed = mkdtempSync(join(tmpdir(), 'svc-kit-new-'))
try {
  step('Packing svc-kit', NPM, ['pack', '--silent', '--pack-destination', packed])
  const [tarball] = readdirSync(packed)
  const from = `file:vendor/${tarball}`
  step('Creating the service', 'bin/svc.cjs', ['init', folder, '--yes', '--template', 'travel', '--svc-kit', from])
  mkdirSync(join(folder, 'vendor'))
  copyFileSync(join(packed, tarball), join(folder, 'vendor', tarball))
  step('Installing its packages', NPM, ['install', '--silent', '--no-audit', '--no-fund'], { cwd: folder })
} finally {
  rmSync(packed, { recursive: true, force: true })
}
console.log(`\nThe service is in ${given}. Next:\n\n  cd ${given}\n  npx svc dev\n`)
console.log(
  'There, press s to call as an agent, a and y to approve the call, s to repeat it, t to read the audit trail.',
)
