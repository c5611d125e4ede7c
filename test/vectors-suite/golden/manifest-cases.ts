import { canonicalBytes, canonicalText } from '../../../src/crypto/json/canonical.js'
import { signDetached } from '../../../src/crypto/jws/jws.js'
import { manifestDigest } from '../../../src/crypto/jws/published-manifest.js'
import type { JsonObject } from '../../../src/protocol/manifest.js'
import { asDer, caseBook, flipped, oddJws, respelled, type GoldenCase } from './golden-case.js'
import { FOREIGN_KEY, LISTED, MANIFEST_KEY, TOKENS_KEY } from './material.js'

const CAPABILITY = {
  description: 'Search flights. Grüße 😀 \u2028',
  contract_version: '1.0.0',
  inputs: [{ name: 'origin', type: 'string', required: true }],
  output: { type: 'flight_list', fields: ['flights'] },
  side_effect: { type: 'read' },
  minimum_scope: ['travel.search'],
  cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 0.1 } },
}

const documentOf = (more: JsonObject = {}, times: JsonObject = {}): JsonObject => ({
  manifest_metadata: {
    version: '0.24.0',
    issued_at: '2029-12-31T00:00:00Z',
    expires_at: '2030-01-30T00:00:00Z',
    ...times,
  },
  service_identity: { id: 'flights', jwks_uri: '/.well-known/jwks.json', issuer_mode: 'self', 'x-keys': LISTED },
  trust: { level: 'signed' },
  capabilities: { search_flights: CAPABILITY },
  ...more,
})

const withDigest = (document: JsonObject): JsonObject => ({
  ...document,
  manifest_metadata: { ...(document['manifest_metadata'] as JsonObject), sha256: manifestDigest(document) },
})

const sign = (text: string, key = MANIFEST_KEY) => signDetached(key.signer!, Buffer.from(text))

/** The manifest that says what the other keys are for, signed by the key that the verifier knows. */
export async function goldenOrigin() {
  const manifest = canonicalText(withDigest(documentOf()))
  return { manifest, signature: await sign(manifest), kids: [MANIFEST_KEY.kid] }
}

export async function manifestCases(): Promise<readonly GoldenCase[]> {
  const { valid, invalid, cases } = caseBook('manifest')
  const document = withDigest(documentOf())
  const text = canonicalText(document)
  const signature = await sign(text)
  valid('plain', 'canonical bytes, right digest, signed by the manifest key', text, { signature })
  const extended = canonicalText(
    withDigest(
      documentOf({
        'x-numbers': [1e21, 1e-7, 5e-324, 1.7976931348623157e308, -0, 4.5, 0.000001, 123456789012345680000],
        'x-names': { '\ud83d\ude00': 1, '\ufb33': 2, '€': 3, '\u0080': 4, '1': 5, '': 6 },
      }),
    ),
  )
  valid('numbers-and-names', 'numbers as ECMAScript writes them; names sorted by UTF-16 code units', extended, {
    signature: await sign(extended),
  })
  const quoted = canonicalText(withDigest(documentOf({ 'x-text': '\u0000\b\t\n\f\r\u001f"\\/\u007f\u2028</script>' })))
  valid('escapes', 'texts escaped as RFC 8785 asks, and no further', quoted, { signature: await sign(quoted) })

  invalid('member-changed', 'one member was changed', text.replace('"read"', '"write"'), { signature })
  const cheaper = { ...document, trust: { level: 'anchored', anchoring: { cadence: 'hourly' } } }
  invalid('digest-made-anew', 'a member was changed and the digest made anew', canonicalText(withDigest(cheaper)), {
    signature,
  })
  const wrongDigest = canonicalText({
    ...document,
    manifest_metadata: { ...(document['manifest_metadata'] as JsonObject), sha256: '0'.repeat(64) },
  })
  invalid('wrong-digest', 'rightly signed, but the digest is not that of the content', wrongDigest, {
    signature: await sign(wrongDigest),
  })
  const identified = async (keys: JsonObject | undefined, why: string, name: string): Promise<void> => {
    const identity = { id: 'flights', ...(keys && { 'x-keys': keys }) }
    const listed = canonicalText(withDigest(documentOf({ service_identity: identity })))
    invalid(name, why, listed, { signature: await sign(listed) })
  }
  await identified(undefined, 'it does not say what keys are for', 'no-keys')
  await identified({ [TOKENS_KEY.kid]: { role: 'tokens' } }, 'it does not list its own key', 'own-key-unlisted')
  await identified(
    { ...LISTED, [MANIFEST_KEY.kid]: { role: 'tokens' } },
    'it lists its own key as a token key',
    'own-key-of-another-role',
  )
  await identified(
    { ...LISTED, [TOKENS_KEY.kid]: { role: 'all' } },
    'a key has a role that there is not',
    'unknown-role',
  )
  const noDigest = canonicalText(documentOf())
  invalid('no-digest', 'rightly signed, but there is no digest', noDigest, { signature: await sign(noDigest) })
  const indented = JSON.stringify(document, undefined, 1)
  invalid('not-canonical', 'rightly signed, but with blanks', indented, { signature: await sign(indented) })
  const doubled = text.replace('{', '{"capabilities":{},')
  invalid('duplicate-member', 'rightly signed, but with a member twice', doubled, { signature: await sign(doubled) })
  const expired = canonicalText(withDigest(documentOf({}, { expires_at: '2029-12-31T23:59:59Z' })))
  invalid('expired', 'rightly signed, but expired', expired, { signature: await sign(expired) })

  const payload = canonicalBytes(document)
  const { kid } = MANIFEST_KEY
  invalid('signature-flipped', 'one bit of the signature', text, { signature: flipped(signature) })
  invalid('signature-respelled', 'the same signature in another base64url spelling', text, {
    signature: respelled(signature),
  })
  invalid('signature-der', 'the same r and s as DER', text, { signature: asDer(signature) })
  invalid('payload-attached', 'the payload is not detached', text, {
    signature: signature.replace('..', `.${Buffer.from(payload).toString('base64url')}.`),
  })
  invalid('role-tokens', 'signed by the token key', text, { signature: await sign(text, TOKENS_KEY) })
  invalid('foreign-key', 'signed by a key that is not published', text, { signature: await sign(text, FOREIGN_KEY) })
  invalid('foreign-key-same-kid', 'signed by another key under the right kid', text, {
    signature: await oddJws(FOREIGN_KEY.signer!, payload, { alg: 'ES256', kid }),
  })
  invalid('alg-none', 'no algorithm and no signature', text, {
    signature: `${Buffer.from('{"alg":"none"}').toString('base64url')}..`,
  })
  invalid('header-typ', 'a header member that is not ours', text, {
    signature: await oddJws(MANIFEST_KEY.signer!, payload, { alg: 'ES256', kid, typ: 'JWT' }),
  })
  invalid('header-b64', 'an unencoded payload (RFC 7797)', text, {
    signature: await oddJws(MANIFEST_KEY.signer!, payload, { alg: 'ES256', b64: false, crit: ['b64'], kid }),
  })
  invalid('header-jwk', 'a key in the header', text, {
    signature: await oddJws(FOREIGN_KEY.signer!, payload, { alg: 'ES256', jwk: FOREIGN_KEY.publicJwk, kid }),
  })
  invalid('other-signature', 'the signature of another manifest', text, { signature: await sign(extended) })
  for (const [name, expires_at] of [
    ['expires-on-no-day', '2030-02-30T00:00:00Z'],
    ['expires-without-offset', '2030-02-01T00:00:00'],
    ['expires-in-a-week', '2030-W05-1'],
  ] as const) {
    const odd = canonicalText(withDigest(documentOf({}, { expires_at })))
    invalid(name, 'rightly signed, but expires_at is no time of RFC 3339', odd, { signature: await sign(odd) })
  }
  const nameless = canonicalText({
    ...document,
    manifest_metadata: { ...(document['manifest_metadata'] as JsonObject), sha256: { toString: 1, valueOf: 1 } },
  })
  invalid('digest-object', 'the digest is an object', nameless, { signature: await sign(nameless) })
  return cases
}
