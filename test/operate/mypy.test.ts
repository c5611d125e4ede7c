/** The package for Python and the example that uses it, in `mypy --strict` of Debian (docs/decisions/python-type-checkers.md). */
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { emit } from '../../src/compiler/emit.js'
import { debianModules } from './debian.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-mypy-'))
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

const PACKAGES = ['python3-mypy', 'python3-mypy-extensions', 'python3-typing-extensions'] as const

function mypy(...words: readonly string[]) {
  const modules = debianModules(PACKAGES)
  const typeshed = ['--custom-typeshed-dir', join(modules, 'mypy/typeshed')]
  const strict = ['--strict', '--python-version', '3.10', '--no-incremental', ...typeshed, ...words]
  const env = { ...process.env, PYTHONPATH: modules, MYPYPATH: join(folder, 'dist/python') }
  const { stdout, stderr } = spawnSync('python3', ['-m', 'mypy', ...strict], { cwd: folder, env, encoding: 'utf8' })
  return (stdout + stderr).trim().split('\n')
}

it('finds nothing in the package of an example, nor in the agent that uses it; and does find what is wrong', () => {
  const manifest = check([{ file: 'svc.yaml', text: readFileSync('examples/travel/svc.yaml', 'utf8') }]).manifest!
  for (const { path, text } of emit(manifest, { generator: 'svc' }).files.filter((file) => file.path.startsWith('dist/python/'))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  cpSync('templates/python', join(folder, 'dist/python/travel_client'), { recursive: true })
  cpSync('examples/agents/python/agent.py', join(folder, 'agent.py'))
  expect(mypy('-p', 'travel_client')).toEqual([expect.stringMatching(/^Success: no issues found in 7 source files$/u)])
  expect(mypy('agent.py')).toEqual(['Success: no issues found in 1 source file'])
  writeFileSync(join(folder, 'wrong.py'), 'from travel_client import Budget\nbudget: Budget = {"currency": "EUR", "max_amount": 1, "mode": "daily"}\n') // prettier-ignore
  expect(mypy('wrong.py')[0]).toMatch(/^wrong\.py:2: error: Incompatible types/u)
}) // prettier-ignore
