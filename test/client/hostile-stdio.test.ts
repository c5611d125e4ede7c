/** A process that means ill, against the client over its standard streams: what waits fails in words, within bounds (N20). */
import { expect, it } from 'vitest'
import { connect, TransportError } from '../../src/client/index.js'
import { overStdio } from '../../src/client/stdio.js'
import type { FakeClient } from './fake-service.js'

/** A process that writes these lines once it is asked, and then nothing more. */
function processOf(lines: (id: number) => Iterable<string>, stays = true) {
  let asked: (id: number) => void
  const first = new Promise<number>((resolve) => (asked = resolve))
  const write = (text: string): void => asked((JSON.parse(text) as { readonly id: number }).id)
  const stdout = (async function* () {
    for (const line of lines(await first)) yield `${line}\n`
    if (stays) await new Promise(() => undefined)
  })()
  const connection = overStdio({ stdin: { write }, stdout })
  return connect<FakeClient>({ ...connection, retries: 0, timeoutMs: 500, credential: 'key' }, {
    read: { capability: 'read_it', effect: 'read' },
    pay: { capability: 'pay.now', effect: 'write', streams: true },
  } as never)
}

const answer = (id: unknown, more: object) => JSON.stringify({ jsonrpc: '2.0', id, ...more })
const envelope = { success: true, invocation_id: 'inv-1', result: 1 }
const step = (id: number, payload: unknown) =>
  JSON.stringify({ method: 'svc.progress', params: { id, invocation_id: 'inv-1', timestamp: 't', payload } })

it.each<[string, (id: number) => Iterable<string>, string]>([
  ['a line that is no JSON', () => ['<html>'], 'wrote a line that is no message of JSON-RPC'],
  ['null', () => ['null'], 'wrote a line that is no message of JSON-RPC'],
  ['a list', (id) => [`[${answer(id, { result: envelope })}]`], 'wrote a line that is no message of JSON-RPC'],
  ['an answer without a result', (id) => [answer(id, {})], 'wrote an answer that is none of the interface'],
  ['an error that is null', (id) => [answer(id, { error: null })], 'wrote an answer that is none of the interface'],
  ['a signature that is no header', (id) => [answer(id, { result: { manifest: {}, signature: 'a\nb' } })], 'none of the interface'], // prettier-ignore
  ['the answer to another request', (id) => [answer(id + 1, { result: envelope })], 'no answer within 500 ms'],
  ['an answer to a word', (id) => [answer(String(id), { result: envelope })], 'no answer within 500 ms'],
  ['an envelope that lies', (id) => [answer(id, { result: { ...envelope, invocation_id: 7 } })], 'without an envelope'],
])('N20 %s is an error of the transport', async (_, lines, message) => {
  const asked = processOf(lines).read()
  await expect(asked).rejects.toThrow(message)
  await expect(asked).rejects.toThrow(TransportError)
})

it('N20 a line that never ends is read to a bound', async () => {
  let parts = 0
  let asked = (): void => undefined
  const first = new Promise<void>((resolve) => (asked = resolve))
  const stdout = (async function* () {
    await first
    for (; parts < 70; parts++) yield ' '.repeat(2 ** 20)
    await new Promise(() => undefined)
  })()
  const connection = overStdio({ stdin: { write: () => asked() }, stdout })
  const client = connect<FakeClient>({ ...connection, retries: 0, credential: 'key' }, { read: { capability: 'read_it', effect: 'read' } } as never) // prettier-ignore
  await expect(client.read()).rejects.toThrow('wrote a line of more than 64 MiB')
  expect(parts).toBe(64)
})

it('N20 an answer that is none spoils no other', async () => {
  const client = processOf((id) => [answer(id, {}), answer(id + 1, { result: envelope })])
  const [first, second] = await Promise.allSettled([client.read(), client.read()])
  expect([first.status, second]).toEqual(['rejected', { status: 'fulfilled', value: envelope }])
})

it('N20 events that nobody reads pile up to a bound, and the rest of the process is heard', async () => {
  const payload = 'x'.repeat(1024 * 1024)
  const client = processOf(function* (id) {
    for (let n = 0; n < 80; n++) yield step(id, payload)
    yield answer(id + 1, { result: envelope })
  })
  const steps = client.streaming.pay()[Symbol.asyncIterator]()
  const first = steps.next()
  expect(await client.read()).toEqual(envelope)
  await first
  const rest = async () => {
    while ((await steps.next()).done !== true);
  }
  await expect(rest()).rejects.toThrow(TransportError)
})

it('N20 who leaves a stream is told nothing more, and the process is heard', async () => {
  const client = processOf(function* (id) {
    for (let n = 0; n < 10; n++) yield step(id, n)
    yield answer(id, { result: envelope })
    yield answer(id + 1, { result: envelope })
  })
  const controller = new AbortController()
  const steps = client.streaming.pay({}, { signal: controller.signal })[Symbol.asyncIterator]()
  const [first, read] = [steps.next(), client.read()]
  await first
  controller.abort()
  expect(await read).toEqual(envelope)
})
