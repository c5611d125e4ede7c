/** Imports write how people connect: of an OpenAPI description, and of an MCP server that asks for consent. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { build } from '../../src/cli/build/run.js'
import { pinnedIn } from '../../src/compiler/mcp-tools/print-tools.js'
import { mcpUpstream } from '../../src/runtime/upstream/index.js'
import type { PinnedUpstream } from '../../src/runtime/upstream/index.js'
import { browserAt } from '../console/world.js'
import { capability } from '../runtime/fixture/manifest.js'
import { agentOf, authorizationServer, connectedAs, startMail } from './world.js'

const { issuer, control } = authorizationServer()
let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'svc-import-'))))
let stop: (() => Promise<unknown>) | undefined
afterEach(async () => {
  await stop?.()
  stop = undefined
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})
const read = (name: string) => readFileSync(join(folder, name), 'utf8')

/** Runs `svc import` as people do, and consents where it asks. */
async function imported(args: readonly string[], { consents = true, env = {} } = {}) {
  const child = spawn(process.execPath, [resolve('bin/svc.cjs'), 'import', ...args], {
    cwd: folder,
    env: { ...process.env, NODE_OPTIONS: '', NO_COLOR: '1', ...env },
  })
  let [stdout, stderr] = ['', '']
  let consent: Promise<unknown> | undefined
  child.stdout.on('data', (text: Buffer) => void (stdout += text.toString()))
  child.stderr.on('data', (text: Buffer) => {
    stderr += text.toString()
    const [, address] = /Open (\S+)\n/u.exec(stderr) ?? []
    if (address !== undefined) consent ??= consentAt(address, consents ? 'ana@mail.example' : 'nobody')
  })
  const [status] = (await once(child, 'close')) as [number]
  await consent
  return { status, stdout, stderr }
}

async function consentAt(address: string, account: string): Promise<void> {
  const browser = browserAt(issuer())
  for (let location = address; ;) {
    const seen = await browser.get(location)
    const next = seen.headers.get('location') ?? /href="(\/pick\/[\w-]+\/)/u.exec(seen.text)?.[1]?.concat(account)
    if (next === undefined) return
    location = new URL(next, location).href
  }
}

const noteOf = (id: string, server: string, scopes: string, capabilities: string, client: string, more = '') =>
  `${id} asks for the consent of each person, at ${server}, with the scopes ${scopes}. Written as the connection ${id}.\n${more}` +
  `  In the account of each person: ${capabilities}\n` +
  `  ${client} Redirect URI: <address of the service>/-/console/connections/callback\n` +
  `  People connect in the console (/-/console/connections), or with: svc connections connect ${id}\n` +
  '  A service that has no key for it yet: svc keys generate --role connections\n'

it('of a description with an authorization code', async () => {
  const flow = { authorizationUrl: `${issuer()}/auth`, tokenUrl: `${issuer()}/token`, scopes: {} }
  const get = (scope: string) => ({ responses: {}, security: [{ person: [scope] }] })
  const description = {
    openapi: '3.1.0',
    info: { title: 'Mail', version: '1' },
    servers: [{ url: `${issuer()}/mail` }],
    paths: {
      '/me': {
        get: { ...get('mail.read'), operationId: 'readMail' },
        post: { ...get('mail.send'), operationId: 'send' },
      },
      '/about': { get: { responses: {}, security: [], operationId: 'about' } },
    },
    components: { securitySchemes: { person: { type: 'oauth2', flows: { authorizationCode: flow } } } },
  }
  writeFileSync(join(folder, 'mail.json'), JSON.stringify(description))
  const { status, stdout } = await imported(['openapi', 'mail.json', '--all', '--name', 'mail', '--into', 'desk'])
  expect([status, stdout]).toEqual([
    0,
    expect.stringContaining(
      noteOf('mail', issuer(), 'mail.read, mail.send', 'read_mail, send', 'Register the service there, and set MAIL_CONNECTION_CLIENT_ID.'), // prettier-ignore
    ),
  ])
  const terms = read('desk/capabilities/mail.yaml').match(/^ {2}\w+:|x-upstream: .+/gmu)
  expect(terms).toEqual([
    '  read_mail:',
    'x-upstream: { answers: loose, connection: mail }',
    '  send:',
    'x-upstream: { answers: loose, connection: mail }',
    '  about:',
    'x-upstream: { answers: loose }',
  ])
  expect(read('desk/src/mail.ts')).toContain(`    connection: {
      authorizationUrl: '${issuer()}/auth',
      tokenUrl: '${issuer()}/token',
      scopes: ['mail.read', 'mail.send'],
      clientId: process.env['MAIL_CONNECTION_CLIENT_ID'],
      clientSecret: process.env['MAIL_CONNECTION_CLIENT_SECRET'],
    },
`)
  expect(read('desk/.env')).toMatch(
    /\nMAIL_CREDENTIAL=\n# MAIL_CONNECTION_CLIENT_ID and MAIL_CONNECTION_CLIENT_SECRET go to \S+\/token\.\nMAIL_CONNECTION_CLIENT_ID=\nMAIL_CONNECTION_CLIENT_SECRET=\n$/u,
  )
})

it.each(['authorizationCode', 'clientCredentials'])(
  'N21 the address that a client proves itself at is told, whatever host a description calls: %s',
  async (name) => {
    const flow = {
      authorizationUrl: 'https://login.example.org/auth',
      tokenUrl: 'https://elsewhere.example/token',
      scopes: {},
    }
    const description = {
      openapi: '3.1.0',
      info: { title: 'Mail', version: '1' },
      servers: [{ url: 'https://api.example.org' }],
      paths: { '/me': { get: { responses: {}, security: [{ own: [] }], operationId: 'readMail' } } },
      components: { securitySchemes: { own: { type: 'oauth2', flows: { [name]: flow } } } },
    }
    writeFileSync(join(folder, 'mail.json'), JSON.stringify(description))
    const { stdout } = await imported(['openapi', 'mail.json', '--all', '--name', 'mail', '--into', 'desk'])
    const place = name === 'authorizationCode' ? 'MAIL_CONNECTION' : 'MAIL'
    const told = `${place}_CLIENT_ID and ${place}_CLIENT_SECRET go to https://elsewhere.example/token.`
    expect(stdout.split('\n').slice(0, 2)).toEqual([
      '1 of 1 operations imported. Calls go to https://api.example.org and nowhere else, with MAIL_CREDENTIAL of the environment.',
      told,
    ])
    expect(read('desk/.env')).toContain(`\nMAIL_CREDENTIAL=\n# ${told}\n${place}_CLIENT_ID=\n`)
    expect(read('desk/src/mail.ts').replaceAll(/\s+\*?\s*/gu, ' ')).toContain(
      `Its credential is MAIL_CREDENTIAL of the environment, and goes to this address only. ${told}`,
    )
  },
)

/** A service that is built and runs, and the client that was built with it. */
async function served(name: string, env: object) {
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true)
  mkdirSync(join(folder, name, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, name, 'node_modules/svc-kit'), 'junction')
  await build(join(folder, name), { check: false, force: false })
  vi.restoreAllMocks()
  const server = spawn(process.execPath, ['dist/server.mjs'], {
    cwd: join(folder, name),
    env: { ...process.env, NODE_OPTIONS: '', PORT: '0', SVC_DEVELOPMENT: 'true', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(server, 'exit')
  stop = () => (server.kill(), ended)
  const baseUrl = await new Promise<string>((found, failed) => {
    void ended.then(([status]) => failed(new Error(`The service ended with ${status}.`)))
    let text = ''
    server.stdout.on('data', (data: Buffer) => {
      const [, url] = /listens on (http\S+)\n/u.exec((text += data.toString())) ?? []
      if (url !== undefined) found(url)
    })
  })
  const [, credential] = /^SVC_DEVELOPER_KEY=(.+)$/mu.exec(read(`${name}/.env`)) ?? []
  const { createClient } = await import(pathToFileURL(join(folder, name, 'dist/client/index.js')).href)
  return { baseUrl, client: createClient({ baseUrl, credential }) }
}

it('of a description whose service, built, tells an agent by the typed client where its person connects', async () => {
  const flow = { authorizationUrl: `${issuer()}/auth`, tokenUrl: `${issuer()}/token`, scopes: {} }
  const description = {
    openapi: '3.1.0',
    info: { title: 'Mail', version: '1' },
    servers: [{ url: `${issuer()}/mail` }],
    paths: { '/me': { get: { responses: {}, security: [{ person: ['mail.read'] }], operationId: 'readMail' } } },
    components: { securitySchemes: { person: { type: 'oauth2', flows: { authorizationCode: flow } } } },
  }
  writeFileSync(join(folder, 'mail.json'), JSON.stringify(description))
  await imported(['openapi', 'mail.json', '--all', '--name', 'mail', '--into', 'desk'])
  const terms = join(folder, 'desk/capabilities/mail.yaml')
  const decided = readFileSync(terms, 'utf8')
    .replace(/side_effect: TODO.*/u, 'side_effect: { type: read }')
    .replace(/minimum_scope: TODO.*/u, 'minimum_scope: [mail.read]')
    .replaceAll(/^ +(?:cost|approval): TODO.*\n/gmu, '')
  writeFileSync(terms, decided)
  const { baseUrl, client } = await served('desk', { MAIL_CONNECTION_CLIENT_ID: 'svc-public' })
  const root = await client.delegate({ scope: ['mail.read'] })
  const agent = await root.client.delegate({ scope: ['mail.read'], subject: 'agent:assistant' })
  const { success, failure } = await agent.client.readMail({})
  expect([success, failure.type, failure.connection_url]).toEqual([
    false,
    'connection_required',
    `${baseUrl}/-/console/connections?connect=mail`,
  ])
}, 30_000)

const MCP = () => ['mcp', '--all', '--write', 'none', '--name', 'tools', '--into', 'desk', '--', `${issuer()}/mcp`]

it('of an MCP server, after the consent of whoever imports it, whose token is revoked', async () => {
  const before = (await control()).revoked
  const { status, stdout, stderr } = await imported(MCP())
  expect([status, stderr]).toEqual([
    0,
    expect.stringMatching(/^tools lists its tools to people who consent\. Open \S+\n$/u),
  ])
  expect(stdout).toContain(
    noteOf('tools', issuer(), 'mail.read, offline_access', 'look, send', 'Without TOOLS_CONNECTION_CLIENT_ID, the service is a client by its metadata document, or registers itself there.', '  It may ask for more later (furtherScopes): mail.send\n'), // prettier-ignore
  )
  expect((await control()).revoked).toBe(before + 1)
  const pinned = pinnedIn(read('desk/src/tools.pinned.ts')) as PinnedUpstream
  expect(pinned.server).toEqual({
    url: `${issuer()}/mcp`,
    credential: 'TOOLS_CREDENTIAL',
    connection: {
      furtherScopes: ['mail.send'],
      clientId: 'TOOLS_CONNECTION_CLIENT_ID',
      clientSecret: 'TOOLS_CONNECTION_CLIENT_SECRET',
    },
  })
  const fragment = read('desk/capabilities/tools.yaml')
  expect(fragment.match(/x-upstream: .+/gu)).toEqual(Array(2).fill('x-upstream: { answers: loose, connection: tools }'))
  const upstream = mcpUpstream(pinned, () => ({}))
  const output = { type: 'mail', fields: [{ name: 'account', type: 'string' as const }] }
  const failures = { tool_changed: 'No.', upstream_refused: 'No.', upstream_unavailable: 'No.' }
  const extensions = { 'x-upstream': { connection: 'tools' }, 'x-failures': failures }
  const look = async (_: object, context: never) =>
    (await upstream.call<{ readonly structured: object }>({ tool: 'look', reads: true }, {}, context)).structured
  const world = await startMail({ capabilities: { look: capability({ output, extensions }) }, handlers: { look } })
  await connectedAs(world, 'ana-key', 'ana@mail.example', 'tools')
  expect(await (await agentOf(world, 'ana-key')).call('look')).toMatchObject({ account: 'ana@mail.example' })
})

it('of nothing where whoever imports a server does not consent', async () => {
  expect(await imported(MCP(), { consents: false })).toMatchObject({
    status: 2,
    stdout: '',
    stderr: expect.stringContaining(
      'svc: tools lists its tools to people who consent. Its authorization server gave no token. Or set TOOLS_CREDENTIAL to one token for everybody.',
    ),
  })
})

it('of nothing where a server names metadata of another host', async () => {
  await control({ metadataAt: 'http://127.0.0.1:1/metadata' })
  expect(await imported(MCP())).toMatchObject({
    status: 2,
    stderr: 'svc: tools cannot be connected. The MCP server names metadata of another host.\n',
  })
  await control({ metadataAt: '' })
})
