/**
 * Limits on what a credential may do with tokens that its own principal requested by another credential (sections 5.4
 * and 5.6).
 */
import { isAccount, isSameAccount, isSameCredential, type Account, type ProvenBy } from '../../protocol/credential.js'
import type { Manifest } from '../../protocol/manifest.js'
import type { Principal } from '../../protocol/principals.js'
import type { TokenChain, TokenRequest } from '../../protocol/token.js'
import type { Known } from '../credentials/known.js'
import { assertEntitled, reachesNoFurther } from './root-authority.js'

/**
 * Refuses a child below the credential's own root principal that the credential could not have bought as a root (threat
 * N03). What others delegated to its principal is theirs to bound.
 */
export function assertWithinCredential(manifest: Manifest, by: Known, chain: TokenChain, request: TokenRequest): void {
  const parent = chain.at(-1)!.claims
  if (parent.root_principal !== by.principal) return
  const caller_class = request.caller_class ?? parent.caller_class
  assertEntitled(manifest, by, caller_class === undefined ? request : { ...request, caller_class })
}

/**
 * Holds when the token at the end of a chain is the credential's to delegate from: the same principal, by no other
 * account.
 */
export function isHeldBy({ principal, credential }: Known, chain: TokenChain): boolean {
  const holder = chain.at(-1)!.claims.sub
  const account = accountBehind(chain, principal)
  return holder === principal && (account === undefined || !isAccount(credential) || isSameAccount(account, credential))
}

/** The account by which a principal bought a token for itself, with whatever tokens of its own in between. */
function accountBehind(chain: TokenChain, principal: Principal): Account | undefined {
  const bought = chain.findLastIndex(({ credential }) => credential !== undefined)
  const isOwn = bought !== -1 && chain.slice(bought).every(({ claims }) => claims.sub === principal)
  const buyer = chain[bought - 1]?.claims.sub ?? chain[0].claims.root_principal
  const credential = chain[bought]?.credential
  return isOwn && buyer === principal && isAccount(credential) ? credential : undefined
}

/**
 * Holds when a credential may end a token: its own principal's, bought by no other account, and within what the
 * credential is entitled to unless it bought the token itself.
 */
export function mayEnd(manifest: Manifest, by: Known, chain: TokenChain): boolean {
  const { principal, credential } = by
  const [root] = chain
  if (root.claims.root_principal !== principal) return false
  if (isAccount(root.credential) && isAccount(credential) && !isSameAccount(root.credential, credential)) return false
  if (root.credential !== undefined && credential !== undefined && isSameCredential(root.credential, credential))
    return true
  return reachesNoFurther(manifest, by, chain.at(-1)!.claims)
}

/** The nearest credential that bought a token of a chain: the others were bought by tokens. */
export const credentialBehind = (chain: TokenChain): ProvenBy | undefined =>
  chain.findLast(({ credential }) => credential !== undefined)?.credential

/**
 * Holds when the subject at the end of a chain is its root principal by no other name in between, or has bought one of
 * its tokens itself: the others were only named.
 */
export const isProven = (chain: TokenChain, principal: Principal): boolean =>
  chain.every(({ claims }) => claims.root_principal === principal && claims.sub === principal) ||
  chain.some(({ credential }, index) => credential !== undefined && chain[index - 1]?.claims.sub === principal)
