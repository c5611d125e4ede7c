/** A service without MCP and without traces loads nothing of them, so that it starts as fast as before (surfaces, S19). */
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'

/** What Node asks the loader for, whose thread writes each address into a file. */
function loadedBy(...modules: readonly string[]): readonly string[] {
  const folder = resolve('dist')
  const [seen, hook] = ['seen', 'hook.mjs'].map((name) => join(folder, `.modules-${process.pid}-${modules.length}-${name}`)) as [string, string] // prettier-ignore
  onTestFinished(() => [seen, hook].forEach((path) => rmSync(path, { force: true })))
  writeFileSync(seen, '')
  writeFileSync(
    hook,
    `import { appendFileSync } from 'node:fs'
export const load = (url, context, next) => (appendFileSync(${JSON.stringify(seen)}, url + '\\n'), next(url, context))`,
  )
  const program = `import { register } from 'node:module'
register(${JSON.stringify(pathToFileURL(hook).href)})
for (const each of ${JSON.stringify(modules)}) await import(each)`
  const { status, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8', timeout: 60_000 }) // prettier-ignore
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  return readFileSync(seen, 'utf8').split('\n')
}

const OF_MCP =
  /@modelcontextprotocol|@opentelemetry|\/telemetry\/opentelemetry|\/surfaces\/mcp\/|\/node_modules\/zod\//u

/** What the `server.mjs` of a service imports that asked for nothing more. */
const SERVICE = ['svc-kit/runtime', 'svc-kit/runtime/node', 'svc-kit/runtime/sqlite', 'svc-kit/runtime/patterns']

it('a service without MCP and without traces loads no module of them, and nothing that it needs', () => {
  const loaded = loadedBy(...SERVICE)
  expect(loaded.length).toBeGreaterThan(100)
  expect(loaded.filter((url) => OF_MCP.test(url))).toEqual([])
})

it('a service with MCP does', () => {
  const loaded = loadedBy('svc-kit/mcp')
  for (const part of ['@modelcontextprotocol', '/surfaces/mcp/']) expect(loaded.some((url) => url.includes(part))).toBe(true) // prettier-ignore
})
