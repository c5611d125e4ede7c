import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, 'peers')

/** Installs what `peers/package-lock.json` lists, unless it is there. No install script runs. */
export default function install(): void {
  if (existsSync(join(folder, 'node_modules/node22/bin/node'))) return
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  const { status } = spawnSync('npm', ['ci', ...flags], { cwd: folder, stdio: 'inherit' })
  if (status !== 0) throw new Error('The peers could not be installed: run `npm ci` in test/surfaces/peers.')
}
