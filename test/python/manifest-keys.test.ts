import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'
import { signDetached } from '../../src/crypto/jws/jws.js'
import { generateRingKey, jwksOf } from '../../src/crypto/keys/key-ring.js'

const PYTHON = process.env['PYTHON'] ?? 'python3'
const key = generateRingKey('manifest', 'active')
const { kid } = key
const jwks = jwksOf({ keys: [key] }, 0)
const READS = `
import json, sys
sys.path.insert(0, "templates/python")
sys.dont_write_bytecode = True
from _es256 import verified_manifest
body, jws, jwks, kid = json.loads(sys.stdin.read())
try: print(verified_manifest(body.encode(), jws, jwks, [kid], 0)["manifest_metadata"]["expires_at"])
except ValueError as error: print(error)`

const EXPIRES = '2030-01-01T00:00:00Z'
const UNLISTED = `it does not list the key ${kid}, which signed it, as one that signs manifests`
it.each([
  [{ [kid]: { role: 'manifest' } }, EXPIRES],
  [{ other: { role: 'manifest' } }, UNLISTED],
  [{ [kid]: { role: 'tokens' } }, UNLISTED],
  [{ [kid]: { role: 'audit' } }, UNLISTED],
  [{ [kid]: {} }, UNLISTED],
  [{}, UNLISTED],
  [undefined, UNLISTED],
])('a manifest whose signing key is listed as %j: %s', async (keys, says) => {
  const body = JSON.stringify({
    manifest_metadata: { expires_at: EXPIRES },
    service_identity: keys === undefined ? {} : { 'x-keys': keys },
  })
  const jws = await signDetached(key.signer!, Buffer.from(body))
  const input = JSON.stringify([body, jws, jwks, kid])
  expect(execFileSync(PYTHON, ['-c', READS], { input, encoding: 'utf8' }).trim()).toBe(says)
})
