/** What a key that is kept elsewhere signs, by the bytes alone: nothing that a service never signs (decisions, section 13). */
import { expect, it } from 'vitest'
import { encodeBase64url } from '../../src/crypto/json/base64url.js'
import { headerFor } from '../../src/crypto/jws/jws-header.js'
import { artefactIn, MAX_SIGNED_BYTES } from '../../src/crypto/keys/artefacts.js'
import { DELEGATION_TYPE } from '../../src/protocol/token.js'

const KID = 'k1'
const signed = (payload: object, { typ, kid = KID }: { readonly typ?: string; readonly kid?: string } = {}) =>
  Buffer.from(`${headerFor(kid, typ)}.${encodeBase64url(JSON.stringify(payload))}`)

const JWT = { typ: DELEGATION_TYPE }
const CLAIMS = { iss: 'flights', jti: 'tok_1' }
const GRANT = { grant_id: 'grt_1', approval_request_id: 'apr_1', approver: 'human:bob', expires_at: 'soon' }
const HEAD = { checkpoint_id: 'ckp_1', sequence: 1, merkle_root: 'r', entry_count: 2, created_at: 'now' }
const SEAL = { type: 'seal', lines: 2, sha256: 'aa' }
const NOTE = `flights/svc/checkpoints\n12\n${'A'.repeat(43)}=\n`

it.each<[string, Uint8Array, string | undefined]>([
  ['a token', signed(CLAIMS, JWT), 'tokens delegation'],
  ['a grant', signed({ ...GRANT, more: 1 }), 'tokens grant'],
  ['a manifest', signed({ manifest_metadata: {}, capabilities: {} }), 'manifest manifest'],
  [
    'a manifest of a megabyte',
    signed({ manifest_metadata: {}, capabilities: { pad: 'x'.repeat(1_000_000) } }),
    'manifest manifest',
  ],
  ['a checkpoint', signed(HEAD), 'audit checkpoint'],
  ['the seal of an export', signed(SEAL), 'audit seal'],
  ['a note', Buffer.from(NOTE), 'audit note'],
  ['a note of an empty log', Buffer.from(NOTE.replace('12', '0')), 'audit note'],
  ['the claims of a token under the header of a grant', signed(CLAIMS), undefined],
  ['a grant under the header of a token', signed(GRANT, JWT), undefined],
  ['a token without an issuer', signed({ jti: 'tok_1' }, JWT), undefined],
  ['a grant without a request', signed({ ...GRANT, approval_request_id: undefined }), undefined],
  ['a grant without an approver', signed({ ...GRANT, approver: undefined }), undefined],
  ['a grant without an id', signed({ ...GRANT, grant_id: undefined }), undefined],
  ['a grant without an end', signed({ ...GRANT, expires_at: undefined }), undefined],
  ['a checkpoint with one member more', signed({ ...HEAD, more: 1 }), undefined],
  ['a seal with one member more', signed({ ...SEAL, more: 1 }), undefined],
  ['a token under the id of another key', signed(CLAIMS, { ...JWT, kid: 'k2' }), undefined],
  ['a token that is too large', signed({ ...CLAIMS, pad: 'x'.repeat(13_000) }, JWT), undefined],
  ['a checkpoint that is too large', signed({ ...HEAD, created_at: 'x'.repeat(4_096) }), undefined],
  ['a list', signed([]), undefined],
  ['three segments', Buffer.concat([signed(CLAIMS, JWT), Buffer.from('.x')]), undefined],
  ['a header alone', Buffer.from(headerFor(KID)), undefined],
  ['a note with a line more', Buffer.from(`${NOTE}more\n`), undefined],
  ['a note of no checkpoints', Buffer.from(NOTE.replace('/svc/checkpoints', '')), undefined],
  ['a note with zeros before its size', Buffer.from(NOTE.replace('12', '012')), undefined],
  ['a note that is too long', Buffer.from(`${'f'.repeat(1_024)}${NOTE}`), undefined],
])('%s is signed, or is not, by what its bytes are', (_, bytes, expected) => {
  const artefact = artefactIn(bytes, KID)
  expect(artefact && `${artefact.role} ${artefact.name}`).toBe(expected)
})

it('no more bytes are signed than the largest artefact has, a manifest of 8 MiB', () => {
  expect(MAX_SIGNED_BYTES).toBe(8_388_608)
})
