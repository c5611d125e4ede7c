import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
const versionsIn = (file: string): string => {
  const path = join(folder, file)
  if (!existsSync(path)) return ''
  const { packages } = JSON.parse(readFileSync(path, 'utf8')) as { packages: { [path: string]: { version: string } } }
  const named = Object.entries(packages).filter(([name]) => name !== '')
  return named.map(([name, { version }]) => `${name}@${version}`).join('\n')
}

/** Installs the runtimes of this folder's lock file, unless they are there. No install script runs. */
export default function install(): void {
  if (versionsIn('package-lock.json') === versionsIn('node_modules/.package-lock.json')) return
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['ci', ...flags], { cwd: folder, stdio: 'inherit' })
  if (status !== 0)
    throw new Error('The runtimes could not be installed: run `npm ci --ignore-scripts` in test/runtimes.')
}
