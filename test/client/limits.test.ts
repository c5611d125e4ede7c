import { afterEach, describe, expect, it, vi } from 'vitest'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { TransportError } from '../../src/client/index.js'
import { clientOf } from './fake-service.js'

const FEW = { maxAnswerBytes: 1000, retries: 0 }

/** An answer that never ends, and whether anybody still reads it. */
function endless(text: string, headers: { readonly [name: string]: string } = {}) {
  const state = { sent: 0, isRead: true }
  const chunk = new TextEncoder().encode(text)
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => ((state.sent += chunk.length), controller.enqueue(chunk)),
    cancel: () => void (state.isRead = false),
  })
  return { answer: new Response(body, { headers }), state }
}

it.each([
  ['a call', (client: Client) => client.read()],
  ['a question', (client: Client) => client.permissions()],
  ['the manifest', (client: Client) => client.manifest()],
])('%s reads no answer beyond its limit, and says which', async (_, ask) => {
  const { answer, state } = endless('0123456789'.repeat(10))
  const asked = ask(clientOf([answer], FEW).client)
  await expect(asked).rejects.toThrow('answered more than 1000 bytes (maxAnswerBytes).')
  await expect(asked).rejects.toThrow(TransportError)
  expect(state.isRead).toBe(false)
  expect(state.sent).toBeLessThan(2000)
})

it('an answer of just the limit is read', async () => {
  const body = JSON.stringify({ success: true, invocation_id: 'inv-000000000001', result: 'x'.repeat(100) })
  const limit = (maxAnswerBytes: number) => clientOf([new Response(body)], { maxAnswerBytes, retries: 0 }).client.read()
  expect(await limit(body.length)).toMatchObject({ success: true })
  await expect(limit(body.length - 1)).rejects.toThrow('maxAnswerBytes')
})

it.each(['data: 0123456789', 'x', 'a: b\n'])('a stream whose event never ends (%j) is not followed for ever', async (text) => {
  const { answer, state } = endless(text.repeat(8), { 'Content-Type': 'text/event-stream' })
  await expect(clientOf([answer], FEW).client.streaming.pay().outcome()).rejects.toThrow(
    'The stream has an event of more than 1000 bytes (maxAnswerBytes); the trail says what became of the call.',
  )
  expect(state.isRead).toBe(false)
  expect(state.sent).toBeLessThan(2000)
}) // prettier-ignore

it('a stream may be longer than any of its events', async () => {
  const event = `event: progress\ndata: ${JSON.stringify({ invocation_id: 'inv-1', timestamp: '', payload: 'x'.repeat(800) })}\n\n`
  const { answer, state } = endless(event, { 'Content-Type': 'text/event-stream' })
  let left = 50
  for await (const _ of clientOf([answer], FEW).client.streaming.pay()) if ((left -= 1) === 0) break
  expect(state.sent).toBeGreaterThan(40_000)
})

it('a stream of just its limit is followed', async () => {
  const text = `event: completed\ndata: ${JSON.stringify({ success: true, invocation_id: 'inv-1', result: 1 })}\n\n`
  const followed = (maxStreamBytes: number) => {
    const answer = new Response(text, { headers: { 'Content-Type': 'text/event-stream' } })
    return clientOf([answer], { maxStreamBytes }).client.streaming.pay().outcome()
  }
  expect(await followed(text.length)).toMatchObject({ success: true })
  await expect(followed(text.length - 1)).rejects.toThrow('maxStreamBytes')
})

it('a stream may be longer than any of its events, wherever they are cut between two reads', async () => {
  const event = `event: progress\ndata: ${JSON.stringify({ invocation_id: 'inv-1', timestamp: '', payload: 'x'.repeat(300) })}\n\n`
  const bytes = new TextEncoder().encode(event.repeat(20))
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => {
      for (let at = 0; at < bytes.length; at += 250) controller.enqueue(bytes.slice(at, at + 250))
      controller.close()
    },
  })
  const answer = new Response(body, { headers: { 'Content-Type': 'text/event-stream' } })
  let seen = 0
  const follow = async () => {
    for await (const _ of clientOf([answer], FEW).client.streaming.pay()) seen += 1
  }
  await follow().catch(() => undefined)
  expect(seen).toBe(20)
})

const key = generateRingKey('manifest', 'active')
const signed = async (body: string): Promise<Response> =>
  new Response(body, {
    headers: { 'X-SVC-Signature': await signDetached(key.signer!, new TextEncoder().encode(body)) },
  })

it.each<readonly [string, string]>([
  ...['null', '5', '{}', '{"manifest_metadata":null}', 'no JSON'].map((body) => [body, 'The service says what this client does not support: version undefined'] as const),
  [`{"manifest_metadata":{"version":"0.24.0"},"service_identity":{"x-keys":{"${key.kid}":{"role":"manifest"}}},"trust":{"level":"signed"},"capabilities":{}}`, 'The manifest does not say when it ends.'],
])('a signed manifest that is %s is refused in words', async (body, words) => {
  const { client } = clientOf([await signed(body), Response.json({ keys: [key.publicJwk] })])
  const asked = client.manifest({ pinnedKeys: [key.kid] })
  await expect(asked).rejects.toThrow(words)
  await expect(asked).rejects.toThrow(TransportError)
}) // prettier-ignore

it.each([null, 5, [null], [{ kid: key.kid }], [{ ...key.publicJwk, y: key.publicJwk.x }]])('keys that are %j are refused in words', async (keys) => {
  const { client } = clientOf([await signed('{}'), Response.json({ keys })])
  const asked = client.manifest({ pinnedKeys: [key.kid] })
  await expect(asked).rejects.toThrow(/^(?:The service publishes no key|The key )/u)
  await expect(asked).rejects.toThrow(TransportError)
}) // prettier-ignore

it.each(['bnVsbA', 'a', '%', ''])('a signature with the header %j is refused in words', async (header) => {
  const answer = new Response('{}', { headers: { 'X-SVC-Signature': `${header}..${'a'.repeat(86)}` } })
  await expect(clientOf([answer]).client.manifest()).rejects.toThrow('The manifest is not signed with ES256.')
})

it('a manifest that is cut off is told as such', async () => {
  const cut = new ReadableStream({ pull: (controller) => controller.error(new TypeError('terminated')) })
  await expect(clientOf([new Response(cut)]).client.manifest()).rejects.toThrow('The manifest was cut off.')
})

it.each([
  [new TypeError('fetch failed', { cause: new Error('Headers Overflow Error') }), 'https://service.test/svc/permissions gave no answer: Headers Overflow Error.'],
  [Object.assign(new AggregateError([]), { code: 'ECONNREFUSED' }), 'https://service.test/svc/permissions gave no answer: ECONNREFUSED.'],
  [new TypeError('Failed to fetch'), 'https://service.test/svc/permissions gave no answer: Failed to fetch.'],
])('a request without an answer says why: %s', async (error, message) => {
  await expect(clientOf([error]).client.permissions()).rejects.toThrow(message)
}) // prettier-ignore

type Client = ReturnType<typeof clientOf>['client']

it.each([0, -1, Number.NaN, '5' as never])(
  'a limit of %s is refused: it would refuse every answer, or none',
  (maxAnswerBytes) => {
    expect(() => clientOf([], { maxAnswerBytes })).toThrow('it is a number of bytes')
  },
)

describe('where no limit is given', () => {
  afterEach(() => void vi.useRealTimers())
  const silent = () => new ReadableStream<Uint8Array>({ pull: () => new Promise<void>(() => undefined) })
  const MIB = 1024 * 1024

  it('an answer is waited for half a minute', async () => {
    vi.useFakeTimers()
    const fetch: typeof globalThis.fetch = (_, init) =>
      new Promise((_resolve, reject) => init!.signal!.addEventListener('abort', () => reject(init!.signal!.reason as Error)))
    const asked = clientOf([], { fetch, retries: 0 }).client.permissions().catch(String)
    await vi.advanceTimersByTimeAsync(30_000)
    expect(await asked).toContain('gave no answer within 30000 ms (timeoutMs).')
  }) // prettier-ignore

  it('a stream is followed for a quarter of an hour', async () => {
    vi.useFakeTimers()
    const answer = new Response(silent(), { headers: { 'Content-Type': 'text/event-stream' } })
    const followed = clientOf([answer], { timeoutMs: Infinity }).client.streaming.pay().outcome().catch(String)
    await vi.advanceTimersByTimeAsync(900_000)
    expect(await followed).toContain('The stream took longer than 900000 ms (streamTimeoutMs)')
  })

  it('64 MiB of an answer are read', async () => {
    const { answer } = endless(' '.repeat(8 * MIB))
    await expect(clientOf([answer], { retries: 0 }).client.read()).rejects.toThrow('more than 67108864 bytes (maxAnswerBytes)') // prettier-ignore
  })

  it('256 MiB of a stream are read', async () => {
    const { answer } = endless(`:${' '.repeat(32 * MIB)}\n\n`, { 'Content-Type': 'text/event-stream' })
    await expect(clientOf([answer]).client.streaming.pay().outcome()).rejects.toThrow('longer than 268435456 bytes (maxStreamBytes)') // prettier-ignore
  })
})

it.each([
  [998, true],
  [999, false],
])('a result of %i lists, one in the other, is read: %s', async (depth, isRead) => {
  const body = `{"success":true,"invocation_id":"inv-1","result":{"a":${'['.repeat(depth)}${']'.repeat(depth)}}}`
  const read = clientOf([new Response(body)], { retries: 0 }).client.read()
  expect(await read.then(({ success }) => success, () => false)).toBe(isRead) // prettier-ignore
})
