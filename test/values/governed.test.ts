import { beforeAll, describe, expect, it } from 'vitest'
import { startFixture } from '../runtime/fixture/service.js'
import { compiled, orderManifest, type Compiled } from './compiled.js'

const ORDER = {
  type: 'object',
  properties: {
    lines: { type: 'array', items: { type: 'object', properties: { sku: { type: 'string' }, count: { type: 'integer' } }, required: ['sku'], additionalProperties: false } },
    gift: { type: ['boolean', 'null'] },
  },
  required: ['lines'],
  additionalProperties: false,
} // prettier-ignore
const GRANT_POLICY = { allowed_grant_types: ['one_time' as const], default_grant_type: 'one_time' as const, expires_in_seconds: 600, max_uses: 1 } // prettier-ignore
const order = { lines: [{ sku: 'a', count: 2 }], gift: null }
const sameOrder = { gift: null, lines: [{ count: 2, sku: 'a' }] }
const otherOrder = { lines: [{ sku: 'a', count: 3 }], gift: null }

let made: Compiled
beforeAll(async () => {
  made = await compiled(orderManifest(ORDER, {}))
})

const start = (more: object = {}, manifest: object = {}) => {
  let runs = 0
  return startFixture({
    capabilities: { book: { ...made.manifest.capabilities['place_order']!, minimum_scope: ['travel.search'], ...more } },
    manifest,
    handlers: { book: ({ order: got }: { order: { lines: object[] } }) => (got.lines.push({}), { receipt: (runs += 1) }) },
    validators: { book: made.validators['place_order']! },
  })
} // prettier-ignore

describe('what is inside a value', () => {
  it('counts for the idempotency key by what it says, not by how it is written', async () => {
    const { root, invoke } = await start()
    const { token } = await root()
    const call = (value: object) => invoke('book', token, { parameters: { order: value } }, { 'idempotency-key': 'key-1' })
    const first = await call(order)
    expect(first.body['result']).toEqual({ receipt: 1 })
    expect((await call(sameOrder)).body['result']).toEqual({ receipt: 1 })
    expect((await call(otherOrder)).body['failure']?.['type']).toBe('idempotency_conflict')
  }) // prettier-ignore

  it('is what an approver approves: another value needs another approval', async () => {
    const { root, invoke, post } = await start({ approval: { required: 'always', grant_policy: GRANT_POLICY } })
    const { token } = await root()
    const asked = await invoke('book', token, { parameters: { order } })
    const id = asked.body['failure']?.['approval_request_id']
    const granted = await post('/svc/approval_grants', 'bob-key', { approval_request_id: id, grant_type: 'one_time' })
    const grant = granted.body['grant_id']
    expect(granted.status).toBe(200)
    const again = (value: object) => invoke('book', token, { parameters: { order: value }, approval_grant: grant })
    expect((await again(otherOrder)).body['failure']?.['type']).toBe('approval_grant_invalid')
    expect((await again(sameOrder)).body['result']).toEqual({ receipt: 1 })
  })

  it('stands in the trail as it was sent, where the manifest says so, whatever the handler does to its copy', async () => {
    const { root, invoke, trail } = await start({ observability: { fields_logged: ['order'] } })
    const { token } = await root()
    await invoke('book', token, { parameters: { order } })
    const [entry] = await trail(token)
    expect(entry!['parameters']).toEqual({ order: { lines: [{ sku: 'a', count: 2 }], gift: null } })
  })

  it('is not named to a caller who may not read of it', async () => {
    const disclosure = { metadata_disclosure: { failure_detail: 'redacted' as const } }
    const { root, invoke } = await start({}, disclosure)
    const { body } = await invoke('book', (await root()).token, { parameters: { order: { lines: [{ secret: 1 }] } } })
    expect(body['failure']?.['type']).toBe('invalid_parameters')
    expect(JSON.stringify(body)).not.toMatch(/secret|lines|order\//u)
  })
})
