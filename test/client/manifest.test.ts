import { expect, it } from 'vitest'
import { TransportError } from '../../src/client/index.js'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { publishManifest } from '../../src/crypto/jws/published-manifest.js'
import { capability, manifestOf } from '../runtime/fixture/manifest.js'
import { clientOf } from './fake-service.js'

const key = generateRingKey('manifest', 'active')
const now = () => Date.parse('2026-03-01T12:00:00.000Z')

async function answers(issued_at: string, expires_at: string, change = (bytes: Uint8Array): Uint8Array => bytes) {
  const { bytes } = publishManifest(manifestOf({ search: capability() }), { issued_at, expires_at })
  const signature = await signDetached(key.signer!, bytes)
  const body = new Uint8Array(change(bytes))
  const jwks = Response.json({ keys: [key.publicJwk] })
  return [new Response(body, { headers: { 'X-SVC-Signature': signature } }), jwks]
}

const january = () => answers('2026-01-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z')
const february = () => answers('2026-02-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z')

it('verifies a manifest and says which key signed it', async () => {
  const { client } = clientOf(await january())
  expect((await client.manifest({ now, pinnedKeys: [key.kid] })).kid).toBe(key.kid)
})

it('M01 refuses a manifest that was changed', async () => {
  const changed = await answers('2026-01-01T00:00:00.000Z', '2026-04-01T00:00:00.000Z', (bytes) =>
    bytes.map((byte, index) => (index === 40 ? byte ^ 1 : byte)),
  )
  await expect(clientOf(changed).client.manifest({ now })).rejects.toThrow(
    'The signature of the manifest does not hold',
  )
})

it('M02 refuses a manifest that has expired', async () => {
  const ended = await answers('2026-01-01T00:00:00.000Z', '2026-03-01T12:00:00.000Z')
  await expect(clientOf(ended).client.manifest({ now })).rejects.toThrow(
    'The manifest expired at 2026-03-01T12:00:00.000Z.',
  )
})

it('M02 refuses a manifest that is older than the one seen before', async () => {
  const { client } = clientOf([...(await february()), ...(await january())])
  await client.manifest({ now })
  await expect(client.manifest({ now })).rejects.toThrow('is older than one seen before')
})

it('M02 refuses a manifest that is older than the one the caller remembers', async () => {
  const { client } = clientOf(await january())
  await expect(client.manifest({ now, issuedSince: '2026-02-01T00:00:00.000Z' })).rejects.toThrow('is older')
})

it('refuses a signature that is none', async () => {
  const [answer] = await january()
  const [header] = answer!.headers.get('X-SVC-Signature')!.split('.')
  answer!.headers.set('X-SVC-Signature', `${header}..%%%`)
  await expect(clientOf([answer!]).client.manifest({ now })).rejects.toThrow(
    new TransportError('The manifest is not signed with ES256.'),
  )
})

it('says that keys were answered with a page', async () => {
  const [answer] = await january()
  const { client } = clientOf([answer!, new Response('<html>', { status: 502 })])
  await expect(client.manifest({ now })).rejects.toThrow('answered 502 without a JSON object')
})

it('refuses a key that is not pinned', async () => {
  const { client } = clientOf(await january())
  await expect(client.manifest({ now, pinnedKeys: ['another'] })).rejects.toThrow('which is not pinned')
})

it('says at once that an address is none', () => {
  expect(() => clientOf([], { baseUrl: 'not a url' })).toThrow(
    'The baseUrl "not a url" is not an address such as http://127.0.0.1:4100.',
  )
})
