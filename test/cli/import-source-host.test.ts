import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { ended } from '../ended.js'

/** A real description of 1,223 operations, as the registry has it; it is fetched once. */
const PACKAGE = '@octokit/openapi@23.0.2'
const CACHED = resolve('node_modules/.cache/svc-kit-descriptions/api-23.0.2.json')
const BIN = resolve('bin/svc.cjs')
const TEN = ['issues/list-for-repo', 'issues/create', 'issues/get', 'issues/update', 'issues/create-comment', 'issues/lock', 'pulls/list', 'pulls/get', 'repos/get', 'repos/delete'] // prettier-ignore

let parent: string
let folder: string
let behind: Server
let server: ChildProcess | undefined
const seen: { readonly method: string; readonly url: string; readonly headers: object; readonly body: string }[] = []

beforeAll(async () => {
  parent = mkdtempSync(join(tmpdir(), 'svc-source-host-'))
  folder = join(parent, 'desk')
  if (!existsSync(CACHED)) {
    execFileSync('npm', ['pack', PACKAGE, '--prefer-offline', '--silent', '--pack-destination', parent], {
      cwd: parent,
    })
    execFileSync('tar', [
      'xzf',
      join(parent, 'octokit-openapi-23.0.2.tgz'),
      '-C',
      parent,
      'package/generated/api.github.com.json',
    ])
    mkdirSync(join(CACHED, '..'), { recursive: true })
    execFileSync('cp', [join(parent, 'package/generated/api.github.com.json'), `${CACHED}.${process.pid}`])
    renameSync(`${CACHED}.${process.pid}`, CACHED)
  }
  behind = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      seen.push({
        method: request.method!,
        url: request.url!,
        headers: request.headers,
        body: Buffer.concat(chunks).toString(),
      })
      const status = request.method === 'DELETE' ? 403 : request.method === 'POST' ? 201 : 200
      response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8' })
      response.end(request.url!.includes('?') ? JSON.stringify([ISSUE]) : JSON.stringify(ISSUE))
    })
  })
  await new Promise<void>((done) => behind.listen(0, '127.0.0.1', done))
}, 120_000)

afterAll(async () => {
  await ended(server)
  behind.close()
  rmSync(parent, { recursive: true, force: true, maxRetries: 20 })
})

const svc = (...args: readonly string[]) =>
  spawnSync(process.execPath, [BIN, ...args], {
    cwd: existsSync(folder) ? folder : parent,
    encoding: 'utf8',
    env: { ...process.env, NO_COLOR: '1' },
  })

/** CPU time of the process in ms: what runs beside makes it longer, never shorter, so the quickest of three counts. */
function leastCpuOf(run: () => readonly string[]): number {
  let least = Infinity
  for (let round = 0; round < 3 && least >= MOST_CPU_MS; round++) {
    const { stderr } = spawnSync(process.execPath, ['--require', resolve('test/cli/cpu-at-exit.cjs'), BIN, ...run()], {
      cwd: parent,
      encoding: 'utf8',
      env: { ...process.env, NO_COLOR: '1' },
    })
    least = Math.min(least, Number(/\ncpu (\d+)\n$/u.exec(stderr)?.[1] ?? Infinity))
  }
  return least
}
/** It takes 0.4 and 1.5 s of CPU where nothing else runs; beside other work the same takes up to three times as much. */
const MOST_CPU_MS = 6000
const CHOSEN = TEN.flatMap((id) => ['--operation', id])

it('lists 1,223 operations, and imports ten of them', () => {
  expect(svc('import', 'openapi', CACHED, '--list').stdout).toContain('\n1223 operations.\n')
  const done = svc('import', 'openapi', CACHED, ...CHOSEN, '--into', folder)
  expect([done.status, done.stdout]).toEqual([
    0,
    expect.stringContaining('10 of 1223 operations imported. Calls go to https://api.github.com and nowhere else'),
  ])
}, 120_000)

it('lists and chooses without reading more than it needs: 6 s of CPU each at most', () => {
  expect(leastCpuOf(() => ['import', 'openapi', CACHED, '--list'])).toBeLessThan(MOST_CPU_MS)
  let round = 0
  expect(leastCpuOf(() => ['import', 'openapi', CACHED, ...CHOSEN, '--into', join(parent, `timed-${round++}`)])).toBeLessThan(MOST_CPU_MS) // prettier-ignore
}, 120_000)

it('carries what the values of the ten operations hold, and names what it cannot', () => {
  const fragment = readFileSync(join(folder, 'capabilities/github.yaml'), 'utf8')
  expect(fragment).toContain("x-schema: { $ref: '#/x-schemas/GithubSimpleUser' }")
  expect(fragment).toContain('\n  GithubSimpleUser:\n    description: A GitHub user.\n    type: object\n')
  expect(fragment).not.toContain('# not carried')
  expect(fragment).toMatch(/name: labels\n {8}type: array\n(?: {8}.*\n)* {8}x-schema:\n? *\{? *items:/u)
})

it('is valid once a person has decided, builds, and its client calls a stand-in of that server', async () => {
  const fragment = join(folder, 'capabilities/github.yaml')
  expect(svc('validate').stdout.match(/ error SVC2013 /gu)).toHaveLength(40)
  writeFileSync(fragment, decided(readFileSync(fragment, 'utf8')))
  expect(svc('validate').stdout).not.toContain(' error ')
  mkdirSync(join(folder, 'node_modules/@modelcontextprotocol'), { recursive: true })
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'))
  symlinkSync(
    resolve('node_modules/@modelcontextprotocol/server'),
    join(folder, 'node_modules/@modelcontextprotocol/server'),
  )
  expect(svc('build')).toMatchObject({ status: 0 })

  const env = {
    ...process.env,
    PORT: '0',
    SVC_DEVELOPMENT: 'true',
    GITHUB_URL: `http://127.0.0.1:${(behind.address() as AddressInfo).port}`,
    GITHUB_CREDENTIAL: 'own-token',
  }
  server = spawn(process.execPath, ['dist/server.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'inherit'] })
  const baseUrl = await new Promise<string>((found) => {
    let said = ''
    server!.stdout!.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const url = /listens on (http:\S+)/u.exec(said)?.[1]
      if (url !== undefined) found(url)
    })
  })
  const { createClient } = (await import(join(folder, 'dist/client/index.js'))) as {
    createClient: (options: object) => SourceHost
  }
  const key = /SVC_DEVELOPER_KEY=(.+)/u.exec(readFileSync(join(folder, '.env'), 'utf8'))![1]
  const delegation = await createClient({ baseUrl, credential: key, fetch }).delegate({
    subject: 'agent:assistant',
    scope: ['github.read', 'github.write'],
  })
  if (!delegation.success) throw new Error(JSON.stringify(delegation))
  const agent = delegation.client

  expect(await agent.issuesListForRepo({ owner: 'o', repo: 'r', labels: 'a,b' })).toMatchObject({
    success: true,
    result: { items: [{ number: 7 }] },
  })
  expect(await agent.issuesCreate({ owner: 'o', repo: 'r', title: 'Broken', labels: ['bug'] })).toMatchObject({
    success: true,
    result: { number: 7, title: 'Broken', closed_at: null },
  })
  expect(await agent.issuesGet({ owner: 'o', repo: '../../user', issue_number: 1 })).toMatchObject({
    failure: { type: 'unsafe_parameter' },
  })
  expect(await agent.reposDelete({ owner: 'o', repo: 'r' })).toMatchObject({ failure: { type: 'approval_required' } })
  expect(seen.map(({ method, url, body }) => [method, url, body])).toEqual([
    ['GET', '/repos/o/r/issues?state=open&labels=a%2Cb&sort=created&direction=desc&per_page=30&page=1', ''],
    ['POST', '/repos/o/r/issues', '{"title":"Broken","labels":["bug"]}'],
  ])
  expect(seen[1]!.headers).toMatchObject({
    authorization: 'Bearer own-token',
    'idempotency-key': expect.stringMatching(/^[0-9a-f]{64}$/u),
  })
}, 120_000)

/** What a person decides: reading is free, changes are by a scope of their own, and nobody deletes without an approval. */
const decided = (text: string): string =>
  text
    .replaceAll(/^ +cost: TODO.*\n/gmu, '')
    .replaceAll(
      /(side_effect: TODO # DELETE(?:(?!approval:)[\s\S])*?)approval: TODO.*/gu,
      '$1approval: { required: always, grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 600, max_uses: 1 } }',
    )
    .replaceAll(/^ +approval: TODO.*\n/gmu, '')
    .replaceAll(/side_effect: TODO # \w+ suggests (.*)/gu, 'side_effect: $1')
    .replaceAll(/minimum_scope: TODO # such as (.*)/gu, 'minimum_scope: $1')

type Call = (parameters: object) => Promise<unknown>
type SourceHost = { readonly [name in 'issuesListForRepo' | 'issuesCreate' | 'issuesGet' | 'reposDelete']: Call } & {
  readonly delegate: (
    request: object,
  ) => Promise<{ readonly success: true; readonly client: SourceHost } | { readonly success: false }>
}

const ISSUE = {
  id: 1, node_id: 'n', url: 'https://x.example/1', repository_url: 'https://x.example/r', labels_url: 'https://x.example/l', comments_url: 'https://x.example/c',
  events_url: 'https://x.example/e', html_url: 'https://x.example/h', number: 7, state: 'open', title: 'Broken', user: null, labels: [], assignee: null, milestone: null,
  locked: false, comments: 0, closed_at: null, created_at: '2026-01-01T00:00:00Z', updated_at: '2026-01-01T00:00:00Z',
} // prettier-ignore

it('imports every operation that its address serves, with what is inside of their values, and is valid then', () => {
  const whole = join(parent, 'whole')
  const { stdout } = svc('import', 'openapi', CACHED, '--all', '--into', whole)
  expect(stdout).toContain('1222 of 1223 operations imported.')
  expect(stdout).toContain('Not imported:\n  POST /repos/{owner}/{repo}/releases/{release_id}/assets: ')
  expect(stdout).not.toContain('too much')
  const path = join(whole, 'capabilities/github.yaml')
  const decided = readFileSync(path, 'utf8')
    .replaceAll(/^ +(?:cost|approval): TODO.*\n/gmu, '')
    .replaceAll(/TODO # (?:[A-Z]+ suggests|such as) /gu, '')
  writeFileSync(path, decided)
  const { status, stdout: findings } = spawnSync(process.execPath, [BIN, 'validate', '--format', 'json'], { cwd: whole, encoding: 'utf8', maxBuffer: 1e9 }) // prettier-ignore
  expect([status, findings.includes('"severity": "error"')]).toEqual([0, false])
}, 300_000)
