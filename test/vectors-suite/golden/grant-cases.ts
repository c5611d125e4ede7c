import { canonicalBytes, canonicalText } from '../../../src/crypto/json/canonical.js'
import { signDetached } from '../../../src/crypto/jws/jws.js'
import { signDelegation } from '../../../src/crypto/jws/jwt.js'
import type { ApprovalGrant } from '../../../src/protocol/approval.js'
import type { DelegationClaims } from '../../../src/protocol/token.js'
import { asDer, caseBook, flipped, respelled, type GoldenCase } from './golden-case.js'
import { AUDIT_KEY, FOREIGN_KEY, MANIFEST_KEY, NOW, RETIRED_TOKENS_KEY, TOKENS_KEY } from './material.js'

const GRANT: Omit<ApprovalGrant, 'signature'> = {
  grant_id: 'grt_golden',
  approval_request_id: 'apr_golden',
  capability: 'book_flight',
  scope: ['travel.book'],
  requester: { subject: 'agent:assistant', root_principal: 'human:ana@example.com', token_id: 'tok_golden' },
  approver: 'human:bob@example.com',
  parameters_digest: `sha256:${'ab'.repeat(32)}`,
  grant_type: 'one_time',
  session_id: null,
  issued_at: '2030-01-01T00:00:00.000Z',
  expires_at: '2030-01-01T01:00:00.000Z',
  max_uses: 1,
}

export async function grantCases(): Promise<readonly GoldenCase[]> {
  const { valid, invalid, cases } = caseBook('grant')
  const signed = async <Grant extends object>(grant: Grant, key = TOKENS_KEY) => ({
    ...grant,
    signature: await signDetached(key.signer!, canonicalBytes(grant)),
  })
  const grant = await signed(GRANT)
  valid('one-time', 'signed by the token key', canonicalText(grant))
  const early = { ...GRANT, issued_at: '2029-12-31T11:00:00.000Z' }
  valid(
    'retired-before',
    'signed by a token key before it was retired',
    canonicalText(await signed(early, RETIRED_TOKENS_KEY)),
  )
  invalid(
    'retired-after',
    'signed by a token key after it was retired',
    canonicalText(await signed(GRANT, RETIRED_TOKENS_KEY)),
  )
  valid(
    'indented',
    'the order and the blanks of the file do not matter: the canonical form is signed',
    JSON.stringify(grant, undefined, 2),
  )
  valid(
    'session-bound',
    'with session and preview',
    canonicalText(
      await signed({
        ...GRANT,
        grant_type: 'session_bound',
        session_id: 's-1',
        max_uses: 5,
        preview_digest: `sha256:${'cd'.repeat(32)}`,
      }),
    ),
  )
  const changes: readonly (readonly [string, object])[] = [
    ['max-uses', { max_uses: 2 }], ['expiry', { expires_at: '2031-01-01T01:00:00.000Z' }], ['capability', { capability: 'refund' }],
    ['parameters', { parameters_digest: `sha256:${'ac'.repeat(32)}` }], ['member-added', { note: 'x' }], ['requester', { requester: { ...GRANT.requester, subject: 'agent:eve' } }],
  ] // prettier-ignore
  for (const [name, change] of changes) invalid(name, 'a member was changed', canonicalText({ ...grant, ...change }))
  const { approver: _, ...anonymous } = grant
  invalid('member-removed', 'a member was removed', canonicalText(anonymous))
  invalid('role-manifest', 'signed by the manifest key', canonicalText(await signed(GRANT, MANIFEST_KEY)))
  invalid('foreign-key', 'signed by a key that is not published', canonicalText(await signed(GRANT, FOREIGN_KEY)))
  invalid(
    'signature-flipped',
    'one bit of the signature',
    canonicalText({ ...grant, signature: flipped(grant.signature) }),
  )
  invalid('no-signature', 'there is no signature', canonicalText(GRANT))
  return cases
}

const SECONDS = NOW / 1000
const CLAIMS: DelegationClaims = {
  jti: 'tok_golden',
  iss: 'flights',
  aud: 'flights',
  sub: 'agent:assistant',
  iat: SECONDS - 60,
  nbf: SECONDS - 60,
  exp: SECONDS + 7200,
  scope: ['travel.search', 'travel.book'],
  root_principal: 'human:ana@example.com',
  capability: 'book_flight',
  purpose: { parameters: { task_id: 't-1' }, task_id: 't-1' },
  parent_token_id: 'tok_root',
  constraints: {
    budget: { currency: 'EUR', max_amount: 500 },
    max_delegation_depth: 3,
    concurrent_branches: 'allowed',
  },
}

export async function tokenCases(): Promise<readonly GoldenCase[]> {
  const { valid, invalid, cases } = caseBook('token')
  const sign = (claims: object, key = TOKENS_KEY) => signDelegation(key.signer!, claims as DelegationClaims)
  const token = await sign(CLAIMS)
  const [header = '', payload = '', signature = ''] = token.split('.')
  valid('child', 'a delegated token with all claims', token)
  invalid('expired', 'its time is over', await sign({ ...CLAIMS, exp: SECONDS - 6 }))
  invalid('not-yet', 'its time has not come', await sign({ ...CLAIMS, nbf: SECONDS + 6, iat: SECONDS + 6 }))
  invalid('other-audience', 'made for another service', await sign({ ...CLAIMS, aud: 'hotels' }))
  invalid('other-issuer', 'made by another service', await sign({ ...CLAIMS, iss: 'hotels' }))
  invalid('role-audit', 'signed by the audit key', await sign(CLAIMS, AUDIT_KEY))
  invalid('foreign-key', 'signed by a key that is not published', await sign(CLAIMS, FOREIGN_KEY))
  const wider = Buffer.from(canonicalText({ ...CLAIMS, scope: ['travel.refund'] })).toString('base64url')
  invalid('claims-changed', 'a claim was changed', `${header}.${wider}.${signature}`)
  invalid('detached-grant', 'a grant is no token', `${header}..${signature}`)
  invalid('signature-flipped', 'one bit of the signature', flipped(token))
  invalid('signature-respelled', 'another spelling of the signature', respelled(token))
  invalid('signature-der', 'the same r and s as DER', asDer(token))
  const other = Buffer.from(JSON.stringify({ alg: 'ES256', kid: TOKENS_KEY.kid, typ: 'JWT' })).toString('base64url')
  const input = Buffer.from(`${other}.${payload}`)
  invalid(
    'typ-jwt',
    'another type',
    `${other}.${payload}.${Buffer.from(await TOKENS_KEY.signer!.sign(input)).toString('base64url')}`,
  )
  return cases
}
