/**
 * Names from outside (N27, N43): none is looked up among the members that every object inherits, as `constructor` is. An
 * inherited member that notes whoever asks for it stands for all of them.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { importOpenApi } from '../../src/cli/import/openapi.js'
import { toolFragment, toolSources } from '../../src/compiler/mcp-tools/print-tools.js'
import { toolCapabilities } from '../../src/compiler/mcp-tools/tool-capability.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startFixture } from '../runtime/fixture/service.js'
import { rowsOf } from './sender.js'

const NAME = 'inherited_by_all'

/** Places of the program that ask for the inherited member, while something runs. */
async function lookupsOf(run: () => unknown): Promise<readonly string[]> {
  const places = new Set<string>()
  const note = (): void => {
    const lines = new Error('asked').stack?.split('\n').slice(3) ?? []
    const own = lines.find((line) => /\/src\//u.test(line) && !line.includes('node_modules'))
    places.add(/src\/[^:?]+/u.exec(own ?? '')?.[0] ?? 'elsewhere')
  }
  const put = function (this: object, value: unknown): void {
    note()
    Object.defineProperty(this, NAME, { value, configurable: true, enumerable: true, writable: true })
  }
  // eslint-disable-next-line no-extend-native
  Object.defineProperty(Object.prototype, NAME, { configurable: true, get: note, set: put })
  try {
    await run()
  } finally {
    Reflect.deleteProperty(Object.prototype, NAME)
  }
  return [...places].toSorted()
}

/** A document with its texts, or the names of its members, each replaced in turn. */
function variantsOf(document: object): readonly string[] {
  const text = JSON.stringify(document)
  const words = new Set([...text.matchAll(/"((?:[^"\\]|\\.)*)"/gu)].map(([, word]) => word!))
  return [...words].flatMap((word) => [
    text.replaceAll(`"${word}"`, `"${NAME}"`),
    text.replaceAll(`"${word}":`, `"${NAME}":`),
  ])
}

describe('the probe', () => {
  it('notes a lookup and an assignment by a name from outside, and no lookup of an own member', async () => {
    const [table, made]: { [name: string]: unknown }[] = [{ a: 1 }, {}]
    expect(await lookupsOf(() => table![NAME])).toHaveLength(1)
    expect(await lookupsOf(() => (made![NAME] = 1))).toHaveLength(1)
    expect(await lookupsOf(() => [Object.hasOwn(table!, NAME), JSON.parse(`{"${NAME}": 1}`)])).toEqual([])
  })
})

describe('a name that every object inherits is none', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-names-'))
  afterEach(() => {
    vi.restoreAllMocks()
    rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
  })

  it('in an OpenAPI document', async () => {
    for (const stream of [process.stdout, process.stderr]) vi.spyOn(stream, 'write').mockImplementation(() => true)
    vi.spyOn(console, 'log').mockImplementation(() => undefined)
    const place = { type: 'object', required: ['town', 'land'], properties: { town: { type: 'string' } } }
    const inside = { type: 'object', required: ['note'], properties: { note: { type: 'string', title: 'Note', format: 'date' }, place } }
    const json = (schema: object) => ({ content: { 'application/json': { schema } } })
    const parameters = [
      { name: 'id', in: 'path', required: true, schema: { type: 'string' } },
      { name: 'size', in: 'query', style: 'form', schema: { type: 'string', enum: ['s', 'm'], default: 's' } },
    ]
    const order = { operationId: 'order', tags: ['orders'], summary: 'Orders', security: [{ key: [] }], parameters, requestBody: json({ $ref: '#/components/schemas/Order' }), responses: { 200: { description: 'Done', ...json(inside) } } }
    const document = {
      openapi: '3.0.0',
      info: { title: 'Shop', version: '1' },
      servers: [{ url: 'https://{host}/v1', variables: { host: { default: 'api.shop.example' } } }],
      components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } }, schemas: { Order: inside } },
      paths: { '/orders/{id}': { post: order } },
    }
    const options = { operation: [], tag: [], all: true, rename: [], answers: 'loose', list: false, into: join(folder, 'made') } as const
    const source = join(folder, 'api.json')
    const variants = [...variantsOf(document), JSON.stringify(document).replaceAll('/{id}', `/{${NAME}}`).replaceAll('"id"', `"${NAME}"`)]
    const found = await lookupsOf(async () => {
      for (const text of variants) {
        rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
        mkdirSync(folder, { recursive: true })
        writeFileSync(source, text)
        await importOpenApi(source, options).catch(() => undefined)
      }
    })
    expect(found).toEqual([])
  }, 120_000) // prettier-ignore

  it('in the tools of an MCP server', async () => {
    const inputSchema = { type: 'object', required: ['text'], properties: { text: { type: 'string', format: 'date', enum: ['a'] } } }
    const tool = { name: 'note', title: 'Note', description: 'Takes a note of a text.', inputSchema, outputSchema: inputSchema, annotations: { readOnlyHint: true } }
    const found = await lookupsOf(() => {
      for (const text of variantsOf(tool)) {
        const given = { ...tool, ...(JSON.parse(text) as object) }
        const made = toolCapabilities('notes', [{ tool: given as never, effect: 'read' }])
        toolFragment('notes', made, undefined)
        toolSources('notes', '{}', made.tools)
      }
    })
    expect(found).toEqual([])
  }) // prettier-ignore

  it('at any endpoint: in paths, queries, and the members and values of bodies', async () => {
    const book = capability({
      inputs: [{ ...input('amount'), type: 'integer' }, input('note', { required: false })],
      approval: { required: 'always', grant_policy: { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } },
    })
    const fixture = await startFixture({ capabilities: { search: capability(), book } })
    const { token, token_id } = await fixture.root({ purpose_parameters: { task_id: 't' } })
    const bodies = [
      { scope: ['travel.search'], subject: 'agent:x', capability: 'book', purpose_parameters: { task_id: 't', a: 'b' }, budget: { currency: 'EUR', max_amount: 1 }, ttl_hours: 1, parent_token: token_id, caller_class: 'x', concurrency: 'allowed', session_id: 's' },
      { parameters: { amount: 1, note: 'x' }, task_id: 't', client_reference_id: 'r', budget: { currency: 'EUR', max_amount: 1 }, bindings: ['x'], approval_grant: 'x', approval: 'continue', stream: false },
      { approval_request_id: 'x', grant_type: 'one_time', session_id: 's', expires_in_seconds: 5, max_uses: 1 },
      { capability: 'book', since: '2026-01-01T00:00:00Z', limit: 5, event_class: 'x', cursor: 'x' },
      { token_id, principal: 'human:x', subject: 'agent:x', api_key: 'k', reason: 'why', lift: 'x', outcome: 'happened', cost: { currency: 'EUR', amount: 1 } },
    ]
    const asked = [...new Set(bodies.flatMap(variantsOf))].map((text) => JSON.parse(text) as object)
    const found = await lookupsOf(async () => {
      for (const { method, path } of rowsOf().filter(({ path: each }) => !each.startsWith('/-/console')))
        for (const place of [path.replaceAll('/x', `/${NAME}`), path.replaceAll('/x', '/book')])
          for (const bearer of ['ana-key', 'op-key', token]) {
            await fixture.call(method, `${place}?${NAME}=${NAME}&status=${NAME}&capability=${NAME}&limit=${NAME}`, { bearer })
            if (method === 'POST') for (const body of asked) await fixture.call(method, place, { bearer, body })
          }
    })
    expect(found).toEqual([])
  }, 240_000) // prettier-ignore
})
