import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = import.meta.dirname
interface Package {
  readonly version: string
  readonly optional?: boolean
}

const jsonOf = (file: string): object => JSON.parse(readFileSync(join(folder, file), 'utf8')) as object

/** Versions of what is installed everywhere, and of what this folder names itself: other optional packages are of some systems. */
function versionsIn(file: string): string {
  if (!existsSync(join(folder, file))) return ''
  const { packages } = jsonOf(file) as { packages: { [path: string]: Package } }
  const { optionalDependencies } = jsonOf('package.json') as { optionalDependencies: { [name: string]: string } }
  const named = Object.entries(packages).filter(
    ([path, { optional }]) =>
      path !== '' && (optional !== true || Object.hasOwn(optionalDependencies, path.slice('node_modules/'.length))),
  )
  return named.map(([path, { version }]) => `${path}@${version}`).join('\n')
}

/** Installs the runtimes of this folder's lock file, unless they are there. No install script runs. */
export default function install(): void {
  if (versionsIn('package-lock.json') === versionsIn('node_modules/.package-lock.json')) return
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['ci', ...flags], { cwd: folder, stdio: 'inherit' })
  if (status !== 0)
    throw new Error('The runtimes could not be installed: run `npm ci --ignore-scripts` in test/runtimes.')
}
