import { execFileSync, spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Client } from '../../examples/travel/generated/client.js'
import { build } from '../../src/cli/build/run.js'
import { init } from '../../src/cli/init/run.js'
import type { ClientOptions } from '../../src/client/index.js'
import type { overStdio as OverStdio } from '../../src/client/stdio.js'
import { ended } from '../ended.js'

const AGENT = `import { createClient, type BookFlightOutcome, type PendingCall } from 'travel-client'
import { overStdio, type ServiceProcess } from 'travel-client/stdio'
import { tools, toolsSha256 } from 'travel-client/tools'

export async function book(process: ServiceProcess, credential: string, pending: PendingCall): Promise<string> {
  const client = createClient({ ...overStdio(process), credential })
  const outcome: BookFlightOutcome = await client.bookFlight.resume(pending)
  if (outcome.success) return outcome.result.booking_id
  // @ts-expect-error A failure that is not declared is none of the union.
  if (outcome.failure.type === 'seat_taken') return ''
  return outcome.failure.type === 'quote_mismatch' ? outcome.failure.detail : 'refused'
}

console.log(tools.map(({ name }) => name).join(' '), toolsSha256.length, typeof createClient)
`

let root: string
let service: string
let agent: string
let server: ChildProcessWithoutNullStreams
let keys: { readonly [name: string]: string }
let travel: { createClient(options: ClientOptions): Client }
let stdio: { readonly overStdio: typeof OverStdio }

const npm = (folder: string, ...words: readonly string[]): string =>
  execFileSync('npm', [...words, '--offline', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: folder,
    encoding: 'utf8',
  })

beforeAll(async () => {
  for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockReturnValue(true)
  root = mkdtempSync(join(tmpdir(), 'svc-client-package-'))
  service = join(root, 'travel')
  agent = join(root, 'agent')
  await init(service, { yes: true, template: 'travel' })
  mkdirSync(join(service, 'node_modules'))
  symlinkSync(resolve('.'), join(service, 'node_modules/svc-kit'), 'junction')
  await build(service, { check: false, force: false })
  vi.restoreAllMocks()
  const packed = npm(service, 'pack', './dist/client', '--pack-destination', root).trim()
  mkdirSync(agent)
  writeFileSync(join(agent, 'package.json'), '{"name":"agent","type":"module","private":true}')
  npm(agent, 'install', join(root, packed))
  const env = readFileSync(join(service, '.env'), 'utf8')
  keys = Object.fromEntries([...env.matchAll(/^(\w+)=(.+)$/gmu)].map(([, name = '', key = '']) => [name, key]))
  server = spawn(process.execPath, ['dist/server.mjs', '--stdio'], { cwd: service, env: { ...process.env, SVC_DEVELOPMENT: 'true' }, stdio: ['pipe', 'pipe', 'ignore'] }) as unknown as ChildProcessWithoutNullStreams // prettier-ignore
  const importOf = async (name: string): Promise<unknown> =>
    import(pathToFileURL(join(agent, 'node_modules/travel-client', name)).href)
  travel = (await importOf('index.js')) as typeof travel
  stdio = (await importOf('stdio.js')) as typeof stdio
}, 120_000)

afterAll(async () => {
  server.stdin.end()
  await ended(server)
  rmSync(root, { recursive: true, force: true, maxRetries: 20 })
})

describe('the client, installed in another folder', () => {
  it('has one package and nothing of ours beside it', () => {
    const listed = JSON.parse(npm(agent, 'ls', '--all', '--json')) as { dependencies: { [name: string]: object } }
    expect(Object.keys(listed.dependencies)).toEqual(['travel-client'])
    expect(listed.dependencies['travel-client']).not.toHaveProperty('dependencies')
  })

  it.each(['typescript', 'typescript-5.9'])('is typed for %s, without svc-kit', (compiler) => {
    writeFileSync(join(agent, 'agent.ts'), AGENT)
    const options = {
      strict: true,
      module: 'nodenext',
      target: 'es2023',
      lib: ['es2023', 'dom'],
      outDir: 'out',
      types: [],
    }
    writeFileSync(join(agent, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, files: ['agent.ts'] }))
    execFileSync(process.execPath, [resolve('node_modules', compiler, 'bin/tsc'), '-p', agent], { stdio: 'pipe' })
    expect(execFileSync(process.execPath, [join(agent, 'out/agent.js')], { encoding: 'utf8' })).toBe(
      'book_flight get_booking get_destination plan_trip refund_booking search_flights 64 function\n',
    )
  })
})

describe('the client over stdio', () => {
  let client: Client
  beforeAll(
    () =>
      void (client = travel.createClient({
        ...stdio.overStdio(server),
        credential: keys['SVC_DEVELOPER_KEY'] ?? '',
      })),
  )

  it('delegates, calls, is refused and reads the trail as over HTTP', async () => {
    const delegated = await client.delegate({ scope: ['travel.search'] })
    if (!delegated.success) throw new Error(delegated.failure.detail)
    const agent = delegated.client
    const trip = { origin: 'LIS', destination: 'BER', date: '2030-05-01' }
    expect(await agent.searchFlights(trip)).toMatchObject({
      success: true,
      result: { flights: expect.any(Array) as unknown[] },
    })
    expect(await agent.bookFlight({ quote_id: 'q', passengers: 1 })).toMatchObject({
      success: false,
      invocation_id: expect.stringMatching(/^inv-/u) as string,
      failure: { type: 'scope_insufficient', resolution: { action: 'request_broader_scope' } },
    })
    expect(await agent.audit({ capability: 'search_flights' })).toMatchObject({ success: true, result: { count: 1 } })
    expect(await agent.permissions()).toMatchObject({ success: true })
  })

  it('verifies the manifest over its very bytes', async () => {
    const { keys: published } = JSON.parse(readFileSync(join(service, 'dist/jwks.json'), 'utf8')) as {
      keys: { kid: string }[]
    }
    const { manifest } = await client.manifest({ pinnedKeys: published.map(({ kid }) => kid) })
    expect(manifest['service_identity']).toMatchObject({ id: 'travel' })
  })

  it('fails in words when the process has ended', async () => {
    const child = spawn(process.execPath, ['-e', ''], { stdio: ['pipe', 'pipe', 'ignore'] })
    const lost = travel.createClient({ ...stdio.overStdio(child as unknown as ChildProcessWithoutNullStreams), retries: 0 }) // prettier-ignore
    await expect(lost.permissions()).rejects.toThrow('gave no answer: the process of the service has ended.')
  })
})
