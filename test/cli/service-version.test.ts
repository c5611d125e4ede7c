/** One version of a service in everything that others receive from it. */
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { generatorName } from '../../src/cli/build/generator-name.js'
import { build } from '../../src/cli/build/run.js'
import { isUnchanged } from '../../src/cli/build/unchanged.js'
import { buildSettings } from '../../src/cli/config/build-settings.js'

function project(described: unknown): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-version-'))
  const written = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  onTestFinished(() => {
    written.mockRestore()
    rmSync(folder, { recursive: true, force: true })
  })
  cpSync('examples/minimal', folder, {
    recursive: true,
    filter: (path) => !/(?:node_modules|dist|keys|package\.json)$/u.test(path),
  })
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  writeFileSync(join(folder, 'package.json'), JSON.stringify(described))
  return folder
}

const built = (root: string): Promise<unknown> => build(root, { check: false, force: false, types: false })
const unchanged = async (root: string) => isUnchanged(root, generatorName(), await buildSettings(root))

/** The version in each thing that is handed out, with that of the interface where it says so. */
function versionsIn(root: string): object {
  const read = (path: string) => readFileSync(join(root, 'dist', path), 'utf8')
  const { version, svc } = JSON.parse(read('client/package.json')) as { readonly version: string; readonly svc: object }
  const { info } = JSON.parse(read('openapi.json')) as { readonly info: { readonly [member: string]: unknown } }
  const python = /^version = (.*)$/mu.exec(read('python/pyproject.toml'))?.[1]
  return { client: [version, svc], openapi: [info['version'], info['x-interface-version']], python }
}

it('the client, the client for Python and the OpenAPI document are of the version in package.json, and a new one builds them anew', async () => {
  const root = project({ type: 'module', version: '3.2.1' })
  await built(root)
  expect(versionsIn(root)).toEqual({
    client: ['3.2.1', { interface: '0.24.0' }],
    openapi: ['3.2.1', '0.24.0'],
    python: '"3.2.1"',
  })
  expect(await unchanged(root)).toBe(true)
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', version: '3.2.2' }))
  expect(await unchanged(root)).toBe(false)
})

it('a new version is no change of what is committed', async () => {
  const root = project({ type: 'module', version: '3.2.1' })
  await built(root)
  writeFileSync(join(root, 'package.json'), JSON.stringify({ type: 'module', version: '4.0.0' }))
  await expect(build(root, { check: true, force: false })).resolves.toBe(0)
})

it('a service without a version is 0.0.0', async () => {
  expect(await buildSettings(project({ type: 'module' }))).toMatchObject({ version: '0.0.0' })
})

it('a version that is none is refused, with the command that sets one', async () => {
  await expect(buildSettings(project({ version: 'v2' }))).rejects.toThrow(
    '"version" in package.json is "v2", which is no semantic version. Set one: npm version 1.0.0',
  )
})
