import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'

export interface FakeKey {
  readonly kid: string
  readonly privateKey: KeyObject
  readonly jwk: object
}

export function fakeKey(kid: string): FakeKey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  return { kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg: 'ES256', use: 'sig' } }
}

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')

export function jwt({ kid, privateKey }: FakeKey, claims: object, header: object = {}): string {
  const input = `${encoded({ alg: 'ES256', kid, typ: 'at+jwt', ...header })}.${encoded(claims)}`
  return `${input}.${sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64url')}`
}

export type Respond = (request: IncomingMessage, response: ServerResponse) => void

export const json =
  (value: object, type = 'application/json'): Respond =>
  (_, response) =>
    void response.writeHead(200, { 'content-type': type }).end(JSON.stringify(value))

/** A provider on loopback whose every answer can be changed, and which counts who asks. */
export async function fakeProvider() {
  const hits: string[] = []
  const answers = new Map<string, Respond>()
  const server = createServer((request, response) => {
    hits.push(request.url ?? '')
    const respond = answers.get(request.url ?? '') ?? ((_, missing) => void missing.writeHead(404).end())
    respond(request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const issuer = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  const METADATA = '/.well-known/openid-configuration'
  const key = fakeKey('k1')
  answers.set(METADATA, json({ issuer, jwks_uri: `${issuer}/jwks` }))
  answers.set('/jwks', json({ keys: [key.jwk] }))
  const now = () => Math.floor(Date.now() / 1000)
  const claims = (more: object = {}) => ({
    iss: issuer,
    aud: 'svc',
    sub: 'user-1',
    exp: now() + 300,
    iat: now(),
    ...more,
  })
  const close = () => (server.closeAllConnections(), server.close())
  return { issuer, hits, answers, key, claims, METADATA, close }
}
