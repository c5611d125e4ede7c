import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

/** Python's packages that the tests of packages need, at their versions. */
const PYTHON_PACKAGES = ['mypy==2.4.0', 'setuptools>=70.1']
const judges = join(import.meta.dirname, 'judges')

/** Installs the tools of others, unless they are there. No install script of npm runs. */
export default function install(): void {
  const run = (program: string, ...words: readonly string[]): void => {
    const { status } = spawnSync(program, words, { cwd: judges, stdio: 'inherit' })
    if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed in test/builds/judges.`)
  }
  if (!existsSync(join(judges, 'node_modules/openapi-fetch')))
    run('npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error')
  if (existsSync(join(judges, 'node_modules/.venv/bin/mypy'))) return
  run('python3', '-m', 'venv', 'node_modules/.venv')
  run('node_modules/.venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', ...PYTHON_PACKAGES)
}
