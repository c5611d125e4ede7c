/**
 * Requests that get no answer, where the other end says 101 and nobody asked for it: they end, and the next one is sent.
 * Connections that break when their request is answered already: nothing of it ends the process.
 */
import { createServer } from 'node:net'
import type { AddressInfo } from 'node:net'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { providerFetch } from '../../src/runtime/credentials/oidc/provider-fetch.js'
import { providerOf } from '../../src/runtime/credentials/oidc/provider.js'
import { metAt } from './oidc/met.js'
import { postTo } from '../../src/runtime/events/post.js'
import { readSignerKeys } from '../../src/runtime/keys/remote/ring.js'

/** Switches to another protocol, whatever it is asked. */
async function switching(place: { readonly path: string } | { readonly port: 0; readonly host: string }) {
  let asked = 0
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      asked += 1
      socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n')
    })
  })
  await new Promise<void>((done) => server.listen(place, done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as Partial<AddressInfo>
  return { url: `http://127.0.0.1:${port}`, asked: () => asked }
}

const LOCAL = { port: 0, host: '127.0.0.1' } as const

it('a webhook that answers 101 has failed, and is tried again', async () => {
  const { url, asked } = await switching(LOCAL)
  const post = postTo({ url, allowPrivate: false })
  const { signal } = new AbortController()
  const failed = { ok: false, error: expect.stringContaining('ECONNRESET') as string }
  expect([await post({}, '{}', signal), await post({}, '{}', signal), asked()]).toEqual([failed, failed, 2])
})

it('an identity provider that answers 101 has no keys, and is asked again', async () => {
  const { url, asked } = await switching(LOCAL)
  const options = { issuer: url, audience: 'svc' }
  let now = 0
  const { keys } = providerOf(options, { ...metAt(() => now), fetch: providerFetch(options) })
  expect(await keys()).toBeUndefined()
  now += 3600_000
  expect([await keys(), asked()]).toEqual([undefined, 4])
})

it('a signer that answers 101 does not answer', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-switching-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))
  const path = join(folder, 'signer.sock')
  await switching({ path })
  await expect(readSignerKeys(`unix:${path}`)).rejects.toThrow(
    'does not answer: The connection was closed without an answer.',
  )
})

it('a webhook that refuses before it has read all, and breaks the connection, ends nothing', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () => {
      socket.pause()
      socket.write('HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\n{}')
      setTimeout(() => socket.destroySoon(), 200)
    })
  })
  await new Promise<void>((done) => server.listen(LOCAL, done))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const post = postTo({ url: `http://127.0.0.1:${port}`, allowPrivate: false })
  const { signal } = new AbortController()
  expect(await post({}, 'x'.repeat(20_000_000), signal)).toEqual({ ok: false, error: 'status 413' })
  await new Promise((done) => setTimeout(done, 1000))
})
