/** The client over the standard streams of a process: what it writes, and what it makes of the lines that come. */
import { expect, it } from 'vitest'
import { connect, TransportError } from '../../src/client/index.js'
import { overStdio } from '../../src/client/stdio.js'
import { canonicalText } from '../../src/crypto/json/canonical.js'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { publishManifest } from '../../src/crypto/jws/published-manifest.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { publishedKeysOf } from '../../src/crypto/keys/published-keys.js'
import { capability, declares, manifestOf } from '../runtime/fixture/manifest.js'
import type { FakeClient } from './fake-service.js'

interface Asked {
  readonly id: number
  readonly method: string
  readonly params: { readonly [name: string]: unknown }
}
type Answer = string | Uint8Array

/** A process that answers each request with these parts of its output, and then ends or goes on. */
function processOf(answer: (asked: Asked) => readonly Answer[], ends = false) {
  const asked: Asked[] = []
  const parts: Answer[] = []
  let wake = (): void => undefined
  const stdin = {
    write: (text: string) => {
      const request = JSON.parse(text) as Asked
      asked.push(request)
      parts.push(...answer(request))
      wake()
    },
  }
  const stdout = (async function* () {
    for (;;) {
      for (let part = parts.shift(); part !== undefined; part = parts.shift()) yield part
      if (ends && asked.length > 0) return
      await new Promise<void>((resolve) => (wake = resolve))
    }
  })()
  const client = connect<FakeClient>({ ...overStdio({ stdin, stdout }), retries: 0, credential: 'key' }, {
    read: { capability: 'read_it', effect: 'read' },
    pay: { capability: 'pay.now', effect: 'write', streams: true },
  } as never)
  return { client, asked }
}

const line = (id: number, more: object) => `${JSON.stringify({ jsonrpc: '2.0', id, ...more })}\n`
const envelope = { success: true, invocation_id: 'inv-1', result: {} }
const failure = { type: 'not_found', detail: 'd', retry: false, resolution: { action: 'contact_service_owner', recovery_class: 'terminal' } } // prettier-ignore

it('asks for each thing by its method, with its credential, its key and what stands in its path', async () => {
  const { client, asked } = processOf(({ id }) => [line(id, { error: { data: failure } })])
  await client.read({ a: 1 })
  await client.pay({}, { idempotency_key: 'k1', task_id: 't' })
  await client.permissions()
  await client.audit({ capability: 'read_it', limit: 2 })
  await client.revoke('tok_1')
  await client.approvals.list({ status: 'pending' })
  await client.approvals.read('apr/1 é', { wait: 1 })
  await client.approvals.deny('apr_1', 'No')
  await client.approvals.withdraw('apr_1')
  await client.approvals.grant({ approval_request_id: 'apr_1', grant_type: 'one_time' })
  await client.approvals.revoke('grt_1')
  await client.checkpoints.list({ limit: 1 })
  await client.checkpoints.read('ckp_1', { leaf_index: 3 })
  const auth = { bearer: 'key' }
  expect(asked.map(({ method, params }) => [method, params])).toEqual([
    ['svc.invoke', { parameters: { a: 1 }, capability: 'read_it', auth }],
    ['svc.invoke', { parameters: {}, task_id: 't', capability: 'pay.now', auth, idempotency_key: 'k1' }],
    ['svc.permissions', { auth }],
    ['svc.audit.query', { capability: 'read_it', limit: '2', auth }],
    ['svc.tokens.revoke', { token_id: 'tok_1', auth }],
    ['svc.approval_requests.list', { status: 'pending', auth }],
    ['svc.approval_requests.get', { id: 'apr/1 é', wait: '1', auth }],
    ['svc.approval_requests.deny', { id: 'apr_1', reason: 'No', auth }],
    ['svc.approval_requests.withdraw', { id: 'apr_1', auth }],
    ['svc.approval_grants.issue', { approval_request_id: 'apr_1', grant_type: 'one_time', auth }],
    ['svc.approval_grants.revoke', { id: 'grt_1', auth }],
    ['svc.checkpoints.list', { limit: '1', auth }],
    ['svc.checkpoints.get', { id: 'ckp_1', leaf_index: '3', auth }],
  ])
  expect(asked.map(({ id }) => id)).toEqual(asked.map((_, index) => index + 1))
})

it('parts an error into the envelope and its failure', async () => {
  const lineage = { client_reference_id: 'r', task_id: 't', parent_invocation_id: 'inv-0', upstream_service: 'desk' }
  const beside = {
    invocation_id: 'inv-1',
    ...lineage,
    cost_actual: { currency: 'EUR', amount: 1 },
    budget_context: {},
    stream_summary: {},
    timestamp: '2026-03-01T12:00:00.000Z',
    retry_after: 61,
  }
  const { client } = processOf(({ id }) => [line(id, { error: { data: { ...failure, ...beside, approval_request_id: 'apr_1' } } })]) // prettier-ignore
  expect(await client.read({}, lineage)).toEqual({
    success: false,
    ...beside,
    failure: { ...failure, approval_request_id: 'apr_1' },
  })
})

it('waits as long as an error says, and gives that back which asks for more than a minute', async () => {
  const busy = { ...failure, retry: true, resolution: { action: 'wait_and_retry', recovery_class: 'wait_then_retry' } }
  const { client, asked } = processOf(({ id }) => [line(id, { error: { data: { ...busy, retry_after: 61 } } })])
  expect(await client.read({}, { retries: 2 })).toMatchObject({ success: false, failure: busy })
  expect(asked).toHaveLength(1)
})

it('reads lines however they are cut, and of both kinds', async () => {
  const { client } = processOf(({ id }) => {
    const bytes = Buffer.from(line(id, { result: { ...envelope, result: 'é€😀' } }))
    const cut = bytes.indexOf('€') + 1
    return ['\n', bytes.subarray(0, cut), bytes.subarray(cut, cut + 4), bytes.subarray(cut + 4)]
  })
  expect(await client.read()).toMatchObject({ result: 'é€😀' })
  const two = processOf(({ id }) => (id === 1 ? [] : [line(2, { result: envelope }) + line(1, { result: { ...envelope, result: 1 } })])) // prettier-ignore
  expect(await Promise.all([two.client.read(), two.client.read()])).toMatchObject([{ result: 1 }, { result: {} }])
})

it('verifies the very bytes of a manifest', async () => {
  const key = generateRingKey('manifest', 'active')
  const times = { issued_at: '2026-01-01T00:00:00.000Z', expires_at: '2026-04-01T00:00:00.000Z' }
  const { document } = publishManifest(manifestOf({ search: capability({ description: 'Says ",\\"signature\\":" é.', ...declares('lost', 'signature') }) }), times, publishedKeysOf({ keys: [key] })) // prettier-ignore
  const manifest = canonicalText(document)
  const signature = await signDetached(key.signer!, new TextEncoder().encode(manifest))
  const answering = (text: string) =>
    processOf(({ id, method }) =>
      method === 'svc.manifest'
        ? [`{"jsonrpc":"2.0","id":${id},"result":{"manifest":${text},"signature":${JSON.stringify(signature)}}}\n`]
        : [line(id, { result: { keys: [key.publicJwk] } })],
    )
  const options = { pinnedKeys: [key.kid], now: () => Date.parse('2026-03-01T00:00:00.000Z') }
  const { client, asked } = answering(manifest)
  expect((await client.manifest(options)).kid).toBe(key.kid)
  expect(asked.map(({ method }) => method)).toEqual(['svc.manifest', 'svc.jwks'])
  await expect(answering(`${manifest.slice(0, -1)} }`).client.manifest(options)).rejects.toThrow('does not hold')
})

it('fails what waits when the process ends, and what is asked later', async () => {
  const { client } = processOf(() => [], true)
  for (const _ of ['waiting', 'later'])
    await expect(client.read()).rejects.toThrow(
      new TransportError('http://stdio.localhost/svc/invoke/read_it gave no answer: the process of the service has ended.'),
    ) // prettier-ignore
})

it('leaves a call for the reason of its signal, and hears what comes for others', async () => {
  const { client } = processOf(({ id }) => (id === 1 ? [] : [line(1, { result: envelope }), line(id, { result: envelope })])) // prettier-ignore
  const controller = new AbortController()
  const left = client.read({}, { signal: controller.signal })
  left.catch(() => undefined)
  await new Promise((done) => setImmediate(done))
  controller.abort(new Error('enough'))
  await expect(left).rejects.toThrow('enough')
  expect(await client.read()).toEqual(envelope)
  await expect(client.read({}, { signal: AbortSignal.abort(new Error('never')) })).rejects.toThrow('never')
})

it.each([
  [{ result: { ...envelope, result: 7 } }, { success: true, result: 7 }],
  [{ error: { data: { ...failure, invocation_id: 'inv-1' } } }, { success: false, failure }],
])('follows a stream to its end: %j', async (ended, outcome) => {
  const step = (payload: unknown) => `${JSON.stringify({ jsonrpc: '2.0', method: 'svc.progress', params: { id: 1, invocation_id: 'inv-1', timestamp: 't', payload } })}\n` // prettier-ignore
  const { client, asked } = processOf(({ id }) => [step('a'), step({ b: 1 }), line(id, ended)])
  const stream = client.streaming.pay()
  const steps: unknown[] = []
  for await (const { payload } of stream) steps.push(payload)
  expect(steps).toEqual(['a', { b: 1 }])
  expect(await stream.outcome()).toMatchObject(outcome)
  expect(asked[0]?.params).toMatchObject({ stream: true })
})
