/** What a credential may do with tokens of its own principal (sections 5.4 and 5.6; threats N01 to N03). */
import { describe, expect, it } from 'vitest'
import type { ProvenBy } from '../../src/protocol/credential.js'
import type { Principal } from '../../src/protocol/principals.js'
import type { TokenChain, TokenRecord } from '../../src/protocol/token.js'
import {
  assertWithinCredential,
  credentialBehind,
  isHeldBy,
  isProven,
  mayEnd,
} from '../../src/runtime/auth/credential-bounds.js'
import { capability, manifestOf } from './fixture/manifest.js'

const ACCOUNT = { issuer: 'https://idp.example', subject: '7' }
const OTHER = { issuer: 'https://idp.example', subject: '8' }
const GUEST = { issuer: 'https://guests.example', subject: '7' }
const KEY = { api_key: 'ana' }

interface Link {
  readonly sub: Principal
  readonly by?: ProvenBy
  readonly scope?: readonly string[]
  readonly caller_class?: string
}

/** A chain of tokens, root first; `by` is what bought one. */
const chain = (root_principal: Principal, ...links: readonly Link[]): TokenChain =>
  links.map(
    ({ sub, by, scope = ['a'], caller_class }, depth): TokenRecord => ({
      depth,
      claims: {
        jti: `tok_${depth}`, iss: 's', aud: 's', sub, iat: 1, nbf: 1, exp: 2, root_principal, scope, purpose: { parameters: {} },
        constraints: { max_delegation_depth: 3, concurrent_branches: 'allowed' }, ...(caller_class !== undefined && { caller_class }),
      },
      ...(by !== undefined && { credential: by }),
    }),
  ) as readonly TokenRecord[] as TokenChain // prettier-ignore

const ANA = 'human:ana'

describe('a token is held', () => {
  it.each<[string, ProvenBy | undefined, TokenChain, boolean]>([
    ['by its subject', KEY, chain(ANA, { sub: ANA, by: KEY }), true],
    ['not by its root principal', KEY, chain(ANA, { sub: 'agent:x', by: KEY }), false],
    ['not by the subject of one above it', KEY, chain('human:eve', { sub: ANA, by: KEY }, { sub: 'agent:x' }), false],
    ['by the account that bought it', ACCOUNT, chain(ANA, { sub: ANA, by: ACCOUNT }), true],
    ['not by another account of the issuer', OTHER, chain(ANA, { sub: ANA, by: ACCOUNT }), false],
    ['not by an account of another issuer', GUEST, chain(ANA, { sub: ANA, by: ACCOUNT }), false],
    ['by an API key of the same name', KEY, chain(ANA, { sub: ANA, by: ACCOUNT }), true],
    ['by a hook of the same name', undefined, chain(ANA, { sub: ANA, by: ACCOUNT }), true],
    ['by an account, where a key bought it', ACCOUNT, chain(ANA, { sub: ANA, by: KEY }), true],
    ['not by another account, below a token of its own', OTHER, chain(ANA, { sub: ANA, by: ACCOUNT }, { sub: ANA }), false],
    ['not by another account than the last that bought for itself', ACCOUNT, chain(ANA, { sub: ANA, by: ACCOUNT }, { sub: ANA, by: OTHER }), false],
    ['by the last account that bought for itself', OTHER, chain(ANA, { sub: ANA, by: ACCOUNT }, { sub: ANA, by: OTHER }), true],
    ['by whoever it was delegated to', OTHER, chain('human:eve', { sub: ANA, by: ACCOUNT }), true],
    ['by whoever it came back to', OTHER, chain(ANA, { sub: 'agent:x', by: ACCOUNT }, { sub: ANA }), true],
    ['not by another account than drew it from what was delegated', OTHER, chain('human:eve', { sub: ANA, by: KEY }, { sub: ANA, by: ACCOUNT }), false],
    ['by the account that drew it from what was delegated', ACCOUNT, chain('human:eve', { sub: ANA, by: KEY }, { sub: ANA, by: ACCOUNT }), true],
  ])('%s', (_, credential, tokens, expected) => {
    expect(isHeldBy({ principal: ANA, ...(credential && { credential }) }, tokens)).toBe(expected)
  }) // prettier-ignore
})

describe('a token may be ended', () => {
  const manifest = manifestOf({ search: capability({ minimum_scope: ['a'] }) }, {
    approvals: { approver_scope: 'chief' },
  } as never)
  const other = { api_key: 'other' }
  it.each<[string, ProvenBy | undefined, readonly string[] | undefined, TokenChain, boolean]>([
    ['by its root principal', KEY, undefined, chain(ANA, { sub: 'agent:x', by: { api_key: 'other' } }), true],
    ['not by its subject, by a credential', KEY, undefined, chain('human:eve', { sub: ANA, by: KEY }), false],
    ['not by another account of the same name', OTHER, undefined, chain(ANA, { sub: ANA, by: ACCOUNT }), false],
    ['not by an account of another issuer', GUEST, undefined, chain(ANA, { sub: ANA, by: ACCOUNT }), false],
    ['not by another account, though it has the scope', OTHER, ['a'], chain(ANA, { sub: ANA, by: ACCOUNT }), false],
    ['by a key, where an account bought it', KEY, undefined, chain(ANA, { sub: ANA, by: ACCOUNT }), true],
    ['by what bought it, whatever its scopes are by now', KEY, [], chain(ANA, { sub: ANA, by: KEY }), true],
    ['by another key that has all of its scope', KEY, ['a', 'b'], chain(ANA, { sub: ANA, by: { api_key: 'other' }, scope: ['a', 'b'] }), true],
    ['not by a key that has a part of its scope', KEY, ['a'], chain(ANA, { sub: ANA, by: { api_key: 'other' }, scope: ['a', 'b'] }), false],
    ['by a key that has the scope of the child, not of its parent', KEY, ['a'], chain(ANA, { sub: ANA, by: { api_key: 'other' }, scope: ['a', 'b'] }, { sub: 'agent:x', scope: ['a'] }), true],
    ['not by a limited key, where nobody knows what bought it', KEY, [], chain(ANA, { sub: ANA }), false],
    ['not by a limited credential that nobody knows', undefined, [], chain(ANA, { sub: ANA }), false],
    ['by a key without a list, though no capability has the scope any more', KEY, undefined, chain(ANA, { sub: ANA, by: other, scope: ['gone'] }), true],
    ['not by a key without a list, where it approves', KEY, undefined, chain(ANA, { sub: ANA, by: other, scope: ['a', 'approver:search'] }), false],
    ['not by a key without a list, where it approves for the service', KEY, undefined, chain(ANA, { sub: ANA, by: other, scope: ['chief'] }), false],
    ['by a key that lists what approves', KEY, ['chief'], chain(ANA, { sub: ANA, by: other, scope: ['chief'] }), true],
    ['not by a key without a list, where it has a class', KEY, undefined, chain(ANA, { sub: ANA, by: other, caller_class: 'internal' }), false],
    ['by what bought it, whatever it approves by now', KEY, undefined, chain(ANA, { sub: ANA, by: KEY, scope: ['chief'] }), true],
  ])('%s', (_, credential, scopes, tokens, expected) => {
    expect(mayEnd(manifest, { principal: ANA, ...(credential && { credential }), ...(scopes && { scopes }) }, tokens)).toBe(expected)
  }) // prettier-ignore
})

it('behind a token stands what bought it, else what bought the nearest one above it', () => {
  expect(credentialBehind(chain(ANA, { sub: ANA, by: KEY }, { sub: 'agent:x' }))).toEqual(KEY)
  expect(credentialBehind(chain(ANA, { sub: ANA, by: KEY }, { sub: ANA, by: OTHER }, { sub: 'agent:x' }))).toEqual(OTHER) // prettier-ignore
  expect(credentialBehind(chain(ANA, { sub: ANA }))).toBeUndefined()
})

it.each<[string, TokenChain, boolean]>([
  ['the root principal', chain('human:bob', { sub: 'human:bob', by: KEY }), true],
  ['who was only named', chain(ANA, { sub: ANA, by: KEY }, { sub: 'human:bob' }), false],
  ['who was named, and named another one', chain(ANA, { sub: ANA, by: KEY }, { sub: 'human:bob' }, { sub: 'human:eve' }), false], // prettier-ignore
  ['who drew a token from the one that names it', chain(ANA, { sub: 'human:bob', by: KEY }, { sub: 'human:bob', by: OTHER }), true], // prettier-ignore
  ['who is named in a token that its parent bought', chain(ANA, { sub: ANA, by: KEY }, { sub: 'human:bob', by: OTHER }), false], // prettier-ignore
])('%s is proven to be bob: %#', (_, tokens, expected) => {
  expect(isProven(tokens, 'human:bob')).toBe(expected)
})

describe('a child that a credential buys', () => {
  const manifest = manifestOf({ search: capability({ minimum_scope: ['a'] }) })
  const ask = (by: { readonly principal: Principal; readonly scopes: readonly string[] }, tokens: TokenChain, asked: object) => () =>
    assertWithinCredential(manifest, by, tokens, { scope: ['a'], ...asked }) // prettier-ignore

  it('below its own root has the scope of the credential at most', () => {
    expect(ask({ principal: ANA, scopes: ['a'] }, chain(ANA, { sub: ANA }), {})).not.toThrow()
    expect(ask({ principal: ANA, scopes: [] }, chain(ANA, { sub: ANA }), {})).toThrow('is not entitled to a.')
  })

  it('below its own root inherits no class that the credential could not have bought', () => {
    const classed = chain(ANA, { sub: ANA, caller_class: 'internal' })
    expect(ask({ principal: ANA, scopes: ['a'] }, classed, {})).toThrow('is not entitled to the caller class internal.')
  })

  it('below the root of somebody else is theirs to bound', () => {
    expect(ask({ principal: ANA, scopes: [] }, chain('human:eve', { sub: ANA }), {})).not.toThrow()
  })
})
