import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest'
import { build } from '../../src/cli/build/run.js'
import { init } from '../../src/cli/init/run.js'

let folder: string
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true)
  const parent = mkdtempSync(join(tmpdir(), 'svc-breakpoints-'))
  folder = join(parent, 'desk')
  const modules = join(parent, 'node_modules')
  mkdirSync(join(modules, 'svc-kit'), { recursive: true })
  for (const path of ['dist', 'package.json']) cpSync(path, join(modules, 'svc-kit', path), { recursive: true })
  for (const name of ['jose', 'pino', 'libsql'])
    symlinkSync(resolve('node_modules', name), join(modules, name), 'junction')
  await init(folder, { yes: true, template: 'minimal' })
  await build(folder, { check: false, force: false })
  vi.restoreAllMocks()
}, 120_000)

afterAll(() => rmSync(join(folder, '..'), { recursive: true, force: true, maxRetries: 20 }))

/** Where the server has a line that its author wrote, as a debugger looks it up in the source map: line and column, from 0. */
function generatedPlace(source: string, words: string) {
  const wanted = read(source)
    .split('\n')
    .findIndex((line) => line.includes(words))
  const map = new SourceMap(JSON.parse(read('dist/server.mjs.map')) as SourceMapPayload)
  const lines = read('dist/server.mjs').split('\n')
  for (const [line, text] of lines.entries())
    for (let column = 0; column < text.length; column++) {
      const found = map.findEntry(line, column) as SourceMapping
      if (
        found.generatedLine === line &&
        found.generatedColumn === column &&
        found.originalSource === `../${source}` &&
        found.originalLine === wanted
      )
        return { line, column }
    }
  throw new Error(`The source map leads nowhere from ${source}:${wanted + 1}.`)
}

/** Starts the built service with a debugger that stops it at a place. */
function debugged({ line, column }: { readonly line: number; readonly column: number }) {
  const child = spawn(process.execPath, [resolve('test/cli/debugger.mjs')], {
    cwd: folder,
    env: { ...process.env, BREAK_AT: `${line}:${column}`, PORT: '0', SVC_DEVELOPMENT: 'true' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (printed += text.toString()))
  return async (pattern: RegExp): Promise<RegExpExecArray> => {
    await expect.poll(() => printed).toMatch(pattern)
    return pattern.exec(printed)!
  }
}

it('a breakpoint in a line of a TypeScript handler stops the built service there', async () => {
  const place = generatedPlace('src/handlers/get_status.ts', 'started.toISOString()')
  const seen = debugged(place)
  const [, url] = await seen(/"url":"(http:[^"]+)"/u)
  await seen(/^MAP server\.mjs\.map$/mu)
  const [, key] = /^SVC_DEVELOPER_KEY=(\S+)/mu.exec(read('.env'))!
  const post = async (path: string, bearer: string, body: object) => {
    const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
    const response = await fetch(`${url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    return (await response.json()) as { readonly [member: string]: unknown }
  }
  const { token } = await post('/svc/tokens', key!, { scope: ['desk.read'] })
  const { success } = await post('/svc/invoke/get_status', token as string, { parameters: {} })
  expect(success).toBe(true)
  const [, name, line] = await seen(/^STOPPED (\S+) (\d+)$/mu)
  expect([name, Number(line)]).toEqual(['getStatus', place.line])
})
