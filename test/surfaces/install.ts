import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Folder -> what is there once its `package-lock.json` is installed. `SURFACES=one` needs no judges. */
const INSTALLED = {
  peers: 'node22/bin/node',
  ...(process.env['SURFACES'] !== 'one' && { judges: 'conformance-2026-07-28/package.json' }),
}

/** Installs what the lock files list, unless it is there. No install script runs. */
export default function install(): void {
  for (const [name, found] of Object.entries(INSTALLED)) {
    const folder = join(import.meta.dirname, name)
    if (existsSync(join(folder, 'node_modules', found))) continue
    const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
    const { status } = spawnSync('npm', ['ci', ...flags], { cwd: folder, stdio: 'inherit' })
    if (status !== 0) throw new Error(`The ${name} could not be installed: run \`npm ci\` in test/surfaces/${name}.`)
  }
}
