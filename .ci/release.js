/**
 * `node .ci/release.js prepare <version>`: writes the version, dates its notes in CHANGELOG.md, generates the examples anew, commits and
 * tags. Nothing leaves this machine. `node .ci/release.js publish [--dry-run]`, in CI at such a tag: publishes with provenance.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** A release runs the tests. */
const MOST_MS = 3600_000

const VERSION = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/u

function refuse(message) {
  console.error(`release: ${message}`)
  process.exit(2)
}

function run(program, ...args) {
  const { status, stdout } = spawnSync(program, args, {
    encoding: 'utf8',
    stdio: ['inherit', 'pipe', 'inherit'],
    timeout: MOST_MS,
  })
  if (status !== 0) refuse(`${program} ${args[0]} failed.`)
  return stdout.trim()
}

const readPackage = () => JSON.parse(readFileSync('package.json', 'utf8'))

/** The text below a heading of the second level. */
const sectionOf = (text, heading) =>
  (text.split(/^## /mu).find((part) => part.startsWith(`${heading}\n`)) ?? '').slice(heading.length).trim()

function refuseChanges() {
  if (run('git', 'status', '--porcelain') !== '') refuse('there are changes that are not committed.')
}

/** The headers of generated code name the version that generated it. */
function generateExamples() {
  if (!existsSync('bin/svc.cjs')) return
  run('npm', 'run', '--silent', 'build')
  for (const name of readdirSync('examples').filter((each) => existsSync(join('examples', each, 'svc.yaml')))) {
    run(process.execPath, 'bin/svc.cjs', 'build', join('examples', name), '--no-bundle', '--no-types', '--force')
    rmSync(join('examples', name, 'dist'), { recursive: true, force: true })
  }
}

function prepare(version = '') {
  if (!VERSION.test(version)) refuse('name a version, such as: node .ci/release.js prepare 0.2.0')
  refuseChanges()
  if (run('git', 'tag', '--list', `v${version}`) !== '') refuse(`there is a tag v${version}.`)
  const changelog = readFileSync('CHANGELOG.md', 'utf8')
  const notes = sectionOf(changelog, 'Unreleased')
  if (notes === '') refuse('CHANGELOG.md has nothing under Unreleased.')
  if (readPackage().version !== version) run('npm', 'version', version, '--no-git-tag-version', '--ignore-scripts')
  const day = new Date().toISOString().slice(0, 10)
  writeFileSync('CHANGELOG.md', changelog.replace('## Unreleased\n', `## Unreleased\n\n## ${version} - ${day}\n`))
  generateExamples()
  run('git', 'add', '--all')
  run('git', 'commit', '--quiet', '--message', `Release ${version}`)
  run('git', 'tag', '--annotate', `v${version}`, '--cleanup=verbatim', '--message', `${version}\n\n${notes}\n`)
  console.log(`v${version} is committed and tagged. Check it, then: git push --follow-tags`)
}

function publish(...flags) {
  const { version, repository } = readPackage()
  refuseChanges()
  if (!run('git', 'tag', '--points-at', 'HEAD').split('\n').includes(`v${version}`))
    refuse(`this commit has no tag v${version}. Run: node .ci/release.js prepare ${version}`)
  const channel = ['--tag', version.includes('-') ? 'next' : 'latest', '--access', 'public']
  if (flags.includes('--dry-run')) return run('npm', 'publish', '--dry-run', '--ignore-scripts', ...channel)
  if (repository === undefined) refuse('package.json names no repository, which provenance is compared with.')
  return run('npm', 'publish', '--provenance', ...channel)
}

const COMMANDS = { prepare, publish }
const [command = '', ...args] = process.argv.slice(2)
if (!Object.hasOwn(COMMANDS, command)) refuse('the commands are prepare <version> and publish [--dry-run].')
COMMANDS[command](...args)
