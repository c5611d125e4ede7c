import { expect, it, vi } from 'vitest'
import type { Signer } from '../../src/crypto/keys/signer.js'
import { start as startServer } from '../../src/runtime/node.js'
import { KEYS, startFixture } from './fixture/service.js'

/** A service whose tokens are signed elsewhere. */
const start = (sign: (own: Signer) => Signer['sign']) =>
  startFixture({
    keys: {
      keys: KEYS.keys.map((key) =>
        key.role === 'tokens' ? { ...key, signer: { kid: key.kid, sign: sign(key.signer!) } } : key,
      ),
    },
    limits: { hookTimeoutMs: 20 },
  })

it('a remote signer signs tokens', async () => {
  const { root, invoke } = await start((own) => async (data) => own.sign(data))
  expect((await invoke('search', (await root()).token)).body).toMatchObject({ success: true })
})

it.each<[string, Signer['sign'], string]>([
  ['fails', () => Promise.reject(new Error('no such key')), 'Error: no such key'],
  ['is silent', () => new Promise(() => undefined), 'It did not answer within 20 ms.'],
  ['gives DER', async () => new Uint8Array(71), 'It gave 71 bytes; a signature is r and s, 64 bytes, never DER.'],
])('where a remote signer %s, callers may try again', async (_, sign, reason) => {
  const { post, logged } = await start(() => sign)
  const { status, body } = await post('/svc/tokens', 'ana-key', { scope: ['travel.search'] })
  expect([status, body['failure']?.['type'], body['failure']?.['retry']]).toEqual([503, 'service_unavailable', true])
  expect(logged.join()).toContain(reason)
})

it('where a remote signer is away at the start, the server ends with one sentence', async () => {
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const sign = () => Promise.reject(new Error('away'))
  const keys = KEYS.keys.map((key) => ({ ...key, signer: { kid: key.kid, sign } }))
  await startServer(async () => void (await startFixture({ keys: { keys } })))
  expect([exit.mock.calls, write.mock.calls]).toEqual([[[2]], [['The service cannot sign at the moment.\n']]])
  vi.restoreAllMocks()
})
