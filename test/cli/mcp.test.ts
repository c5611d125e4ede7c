import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { svcOf } from './start.js'

const root = mkdtempSync(join(tmpdir(), 'svc-mcp-'))
afterAll(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(root, 'shop-'))
  mkdirSync(join(folder, 'dist'))
  writeFileSync(join(folder, 'dist/server.mjs'), '')
  writeFileSync(join(folder, 'package.json'), '{"name": "shop"}')
})

const svc = (...args: readonly string[]) => svcOf(resolve('.'), ['mcp', 'config', ...args], { cwd: folder })

const entry = () => ({
  command: 'node',
  args: ['--input-type=module', '--eval', `process.chdir("${folder}"); await import("${folder}/dist/server.mjs")`, '--', '--mcp'], // prettier-ignore
  env: { SVC_TOKEN_FILE: join(folder, 'agent.token') },
})

describe('svc mcp config', () => {
  it.each([
    ['claude-code', 'mcpServers'],
    ['cursor', 'mcpServers'],
    ['vscode', 'servers'],
    ['inspector', 'mcpServers'],
  ])('prints the configuration of %s', (client, member) => {
    const { status, stdout } = svc('--client', client)
    expect([status, JSON.parse(stdout)]).toEqual([0, { [member]: { shop: entry() } }])
  })

  it('reaches a service that runs elsewhere by the bridge, with no credential in it', () => {
    const { stdout } = svc(
      '--client',
      'cursor',
      '--connect',
      'https://svc.example/mcp',
      '--scope',
      'travel.search',
      'travel.book',
    )
    expect(JSON.parse(stdout)).toEqual({
      mcpServers: {
        'svc.example': {
          command: 'node',
          args: [
            resolve('bin/svc.cjs'),
            'mcp',
            'connect',
            'https://svc.example',
            '--scope',
            'travel.search',
            'travel.book',
          ],
          env: { SVC_TOKEN_FILE: join(folder, 'agent.token') },
        },
      },
    })
    expect(svc('--client', 'cursor', '--connect', 'https://me:secret@svc.example')).toMatchObject({ status: 2, stderr: expect.stringContaining('SVC_TOKEN_FILE') as string }) // prettier-ignore
  })

  it('writes beside what is there', () => {
    writeFileSync(
      join(folder, '.mcp.json'),
      '{"mcpServers": {"other": {"command": "x"}, "shop": {"command": "old"}}, "more": 1}',
      { mode: 0o600 },
    )
    expect(svc('--client', 'claude-code', '--write').status).toBe(0)
    const written = JSON.parse(readFileSync(join(folder, '.mcp.json'), 'utf8')) as unknown
    expect(written).toEqual({ mcpServers: { other: { command: 'x' }, shop: entry() }, more: 1 })
    expect(statSync(join(folder, '.mcp.json')).mode & 0o777).toBe(0o600)
  })

  it('says what is left to do about the token, by what its file holds', () => {
    const said = () => svc('--client', 'claude-code').stderr
    const issue = 'svc token issue --scope … --subject agent:… --out agent.token'
    const token = (exp: unknown) => `e30.${Buffer.from(JSON.stringify({ exp })).toString('base64url')}.c2ln`
    const hold = (text: string) => writeFileSync(join(folder, 'agent.token'), text)
    expect(said()).toBe(`Put a delegation token into agent.token: ${issue}\n`)
    for (const text of ['', 'api-key', 'a.b.c', token('soon'), token(1e300)]) {
      hold(text)
      expect(said()).toBe(`agent.token holds no delegation token. Put one there: ${issue}\n`)
    }
    hold(token(1))
    expect(said()).toBe(
      `The token in agent.token has expired (1970-01-01T00:00:01.000Z). Put another one there: ${issue}\n`,
    )
    hold(token(4_000_000_000))
    expect(said()).toBe('The token in agent.token is valid until 2096-10-02T07:06:40.000Z.\n')
  })

  it('leaves a file that it cannot read as it is', () => {
    writeFileSync(join(folder, '.mcp.json'), '{ // mine\n}')
    const { status, stderr } = svc('--client', 'claude-code', '--write')
    expect([status, stderr]).toEqual([2, expect.stringContaining('is not plain JSON. Run without --write')])
    expect(readFileSync(join(folder, '.mcp.json'), 'utf8')).toBe('{ // mine\n}')
  })

  it('says what to do where nothing is built, and for an unknown client', () => {
    rmSync(join(folder, 'dist'), { recursive: true })
    expect(svc('--client', 'cursor')).toMatchObject({ status: 2, stderr: expect.stringContaining('Run svc build first.') as string }) // prettier-ignore
    expect(svc('--client', 'emacs')).toMatchObject({ status: 2, stderr: expect.stringContaining('claude-code, cursor') as string }) // prettier-ignore
  })
})
