/** `npm test -- guides [name ...]`: packs the project and executes the guides that are named, or all of them, from the tarball. */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'

const GUIDES = [
  'docs/guides',
  ...readdirSync('examples/agents')
    .map((name) => `examples/agents/${name}/README.md`)
    .filter((file) => existsSync(file)),
]

function runOrExit(command, args) {
  const { status } = spawnSync(command, args, { stdio: 'inherit', timeout: 3 * 3600_000 })
  if (status !== 0) process.exit(status ?? 1)
}

const names = process.argv.slice(2).map((name) => (name.endsWith('.md') ? name : `docs/guides/${name}.md`))
runOrExit('npm', ['pack', '--loglevel=error'])
runOrExit(process.execPath, ['.ci/documents.js', ...(names.length > 0 ? names : GUIDES)])
