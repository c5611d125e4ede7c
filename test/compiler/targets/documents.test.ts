import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { emit } from '../../../src/compiler/emit.js'
import { UNREADABLE } from '../../../src/protocol/unreadable.js'
import { capability, manifestOf } from '../../runtime/fixture/manifest.js'
import { startFixture } from '../../runtime/fixture/service.js'

const examples = readdirSync('examples').filter((name) => existsSync(join('examples', name, 'svc.yaml')))

function documentOf(name: string, path: string): string {
  const { manifest } = check([{ file: 'svc.yaml', text: readFileSync(join('examples', name, 'svc.yaml'), 'utf8') }])
  return emit(manifest!, { generator: 'svc' }).files.find((file) => file.path === path)!.text
}

describe('the OpenAPI document', () => {
  let folder: string
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'svc-openapi-'))
    for (const name of examples) writeFileSync(join(folder, `${name}.json`), documentOf(name, 'dist/openapi.json'))
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  it('of no example gives Redocly anything to say', () => {
    const { NODE_OPTIONS: _, ...env } = process.env
    const redocly = resolve('node_modules/@redocly/cli/bin/cli.js')
    const documents = examples.map((name) => `${name}.json`)
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [redocly, 'lint', '--extends', 'recommended-strict', '--format', 'json', ...documents],
      {
        cwd: folder,
        encoding: 'utf8',
        env: { ...env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      },
    )
    expect([status, [...stdout.matchAll(/"ruleId": "(.*)"/gu)].map(([, rule]) => rule)]).toEqual([0, []])
    for (const document of documents) expect(stderr).toContain(`${document}: validated`)
  }, 60_000)

  it('has an example of each request and of each result', () => {
    const { paths } = JSON.parse(documentOf('travel', 'dist/openapi.json')) as {
      paths: { [path: string]: { post?: { requestBody: Content; responses: { [status: string]: Content } } } }
    }
    const calls = Object.entries(paths).filter(([path]) => path.startsWith('/svc/invoke/'))
    expect(calls).toHaveLength(6)
    for (const [, { post }] of calls)
      for (const { content } of [post!.requestBody, post!.responses['200']!])
        expect(Object.keys(content['application/json']!)).toContain('example')
  })
})

it('the OpenAPI document says which headers tell a client what to do', () => {
  const { paths, components } = JSON.parse(documentOf('travel', 'dist/openapi.json')) as Described
  const headersOf = ({ headers = {} }: Told) => Object.keys(headers)
  expect(headersOf(paths['/svc/manifest']!['get']!.responses['200']!)).toEqual(['ETag', 'Cache-Control', 'X-Svc-Signature'])
  expect(headersOf(paths['/.well-known/jwks.json']!['get']!.responses['304']!)).toEqual(['ETag', 'Cache-Control'])
  expect(headersOf(paths['/svc/invoke/get_booking']!['post']!.responses['200']!)).toEqual(['Idempotency-Replayed'])
  const refused = Object.entries(components.responses).flatMap(([name, told]) => headersOf(told).map((header) => [name.slice(7, 10), header].join(' ')))
  expect([...new Set(refused)].toSorted()).toEqual(['401 WWW-Authenticate', '429 Retry-After'])
}) // prettier-ignore

it('the OpenAPI document says which calls cannot be streamed', () => {
  const { paths, components } = JSON.parse(documentOf('pipeline', 'dist/openapi.json')) as Described
  const unary = Object.entries(paths).flatMap(([path, { post }]) => {
    const name = (post?.responses['400'] as { readonly $ref?: string } | undefined)?.$ref?.split('/').at(-1) ?? ''
    return JSON.stringify(components.responses[name] ?? {}).includes('streaming_not_supported') ? [path] : []
  })
  expect(unary).toContain('/svc/invoke/read_report')
  expect(unary).not.toContain('/svc/invoke/write_report')
})

it('the OpenAPI document says of what asks the store that it may be away', () => {
  const { paths } = JSON.parse(documentOf('travel', 'dist/openapi.json')) as Described
  const always = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).every(({ responses }) => '503' in responses) ? [] : [path],
  )
  expect(always).toEqual(['/.well-known/svc', '/.well-known/jwks.json', '/svc/manifest', '/tools.json', '/openapi.json', '/svc/graph/{capability}', '/.well-known/svc-client.json', '/-/live'])
}) // prettier-ignore

describe('the OpenAPI document knows what a service says no with', () => {
  const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 60, max_uses: 1 } as const
  const capabilities = { follow: capability({ response_modes: ['streaming'], approval: { required: 'always', grant_policy } }) }
  const document = emit(manifestOf(capabilities), { generator: 'svc' }).files.find(({ path }) => path === 'dist/openapi.json')!.text
  const { paths, components } = JSON.parse(document) as Described

  it.each<[string, string, string, (object | undefined)?, object?]>([
    ['invalid_parameters', 'post', '/svc/permissions', { a: 1 }],
    ['unsupported_media_type', 'post', '/svc/audit', {}, { 'content-type': 'text/plain' }],
    ['unsupported_version', 'get', '/svc/graph/{capability}', undefined, { 'x-svc-version': '9.9.9' }],
    ['unsupported_version', 'post', '/svc/invoke/follow', { parameters: {} }, { 'x-svc-version': '9.9.9' }],
    ['streaming_not_supported', 'post', '/svc/invoke/follow', { parameters: {} }],
    ['invalid_parameters', 'get', '/svc/approval_requests/{id}?wait=x'],
    ['budget_exceeded', 'post', '/svc/tokens', { scope: ['travel.search'], subject: 'agent:a', budget: { currency: 'EUR', max_amount: 2 } }],
    ['unknown_capability', 'post', '/svc/tokens', { scope: ['travel.search'], subject: 'agent:a', capability: 'nothing' }],
  ])('%s of %s %s', async (type, method, target, body, headers) => {
    const { root, call } = await startFixture({ capabilities })
    const { token, token_id } = await root({ budget: { currency: 'EUR', max_amount: 1 } })
    const sent = target === '/svc/tokens' ? { ...body, parent_token: token_id } : body
    const answer = await call(method.toUpperCase(), target, { bearer: token, ...(sent && { body: sent }), ...(headers && { headers: headers as { [name: string]: string } }) })
    expect(answer.body['failure']?.['type']).toBe(type)
    const { $ref = '' } = paths[target.split('?')[0]!]![method]!.responses[String(answer.status)] as { readonly $ref?: string }
    expect(JSON.stringify(components.responses[$ref.split('/').at(-1)!])).toContain(`"${type}"`)
  })

  it('and each member of what it answers', async () => {
    const money = { cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 1 } } } as const
    const gated = capability({ ...money, approval: { required: 'always', grant_policy } })
    const { root, invoke, post, call, trail } = await startFixture({ capabilities: { book: gated } })
    const { token } = await root()
    const id = (await invoke('book', token)).body['failure']?.['approval_request_id']
    const grant = await post('/svc/approval_grants', 'bob-key', { approval_request_id: id, grant_type: 'one_time' })
    await invoke('book', token, { parameters: {}, approval_grant: grant.body['grant_id'] })
    const request = await call('GET', `/svc/approval_requests/${id}`, { bearer: token })
    const list = await call('GET', '/svc/approval_requests', { bearer: token })
    const [entry, refused] = (await trail(token)).filter((each) => each['entry_type'] === 'invocation')
    const answers = { ApprovalGrant: grant.body, ApprovalRequest: request.body, ApprovalRequests: list.body, AuditEntry: { ...entry, ...refused }, Health: (await call('GET', '/-/ready')).body }
    for (const [name, answer] of Object.entries(answers))
      expect([name, Object.keys(answer).filter((member) => !Object.hasOwn(components.schemas[name]!.properties, member))]).toEqual([name, []])
  })
}) // prettier-ignore

interface Told {
  readonly headers?: object
}
interface Described {
  readonly paths: { [path: string]: { [method: string]: { responses: { [status: string]: Told } } } }
  readonly components: {
    readonly responses: { [name: string]: Told }
    readonly schemas: { [name: string]: { readonly properties: object } }
  }
}

interface Content {
  readonly content: { readonly [type: string]: object }
}

const TRAVEL = `graph LR
  c0["book_flight"]
  c1["get_booking"]
  c2["get_destination"]
  c3["plan_trip"]
  c4["refund_booking"]
  c5["search_flights"]
  c0 -- requires --> c5
  c0 -- refresh --> c5
  c0 -- verify --> c1
  c0 -- undo --> c4
  c3 -- step --> c5
  c3 -- step --> c2
  c4 -- verify --> c1
`

it('draws what belongs together as a Mermaid graph', () => {
  const graphOf = (name: string) => /```mermaid\n([\s\S]*?)```/u.exec(documentOf(name, 'dist/reference.md'))?.[1]
  expect(graphOf('travel')).toBe(TRAVEL)
  expect(graphOf('minimal')).toBeUndefined()
})

it('each operation says that what is no request ends with 400, 408 or 431, and as what', () => {
  const { paths, components } = JSON.parse(documentOf('travel', 'dist/openapi.json')) as Described
  for (const [path, item] of Object.entries(paths))
    for (const { responses } of Object.values(item))
      for (const [status, { type, detail }] of Object.entries(UNREADABLE)) {
        const { $ref: reference = '' } =
          (responses as { readonly [status: string]: { readonly $ref?: string } })[status] ?? {}
        const response = components.responses[reference.split('/').at(-1)!]
        expect(JSON.stringify(response), `${path} ${status}`).toContain(`\`${type}\``)
        if (status !== '400') expect(JSON.stringify(response), `${path} ${status}`).toContain(detail)
      }
})
