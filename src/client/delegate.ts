import { DELEGATION_TYPE } from './delegation-type.js'
import type { Answer } from './outcome.js'
import { ask, PATHS, type Connection } from './transport.js'
import type { TokenRequest, TokenResponse } from '../protocol/token.js'

/**
 * Asks for a token. From a delegation token, a child of that token is asked for, and its subject stays the same unless
 * the request names another; from any other credential, a root token.
 */
export async function issueToken(connection: Connection, request: TokenRequest): Promise<Answer<TokenResponse>> {
  const { credential } = connection
  const bearer = typeof credential === 'function' ? await credential() : credential
  const parent = bearer === undefined ? undefined : delegationIn(bearer)
  const narrowed = parent === undefined ? {} : { parent_token: parent.jti, subject: parent.sub }
  return ask(connection, PATHS.tokens, { body: { ...narrowed, ...request } }, { token: 'string', token_id: 'string' })
}

interface Claims {
  readonly jti: string
  readonly sub: string
}

/** The claims of a delegation token, unverified: the service verifies it. Undefined for any other credential. */
function delegationIn(bearer: string): Claims | undefined {
  const [header = '', payload = ''] = bearer.split('.')
  const { typ } = decoded(header)
  const { jti, sub } = decoded(payload)
  return typ === DELEGATION_TYPE && typeof jti === 'string' && typeof sub === 'string' ? { jti, sub } : undefined
}

function decoded(part: string): { readonly [name: string]: unknown } {
  try {
    const binary = atob(part.replaceAll('-', '+').replaceAll('_', '/'))
    const text = new TextDecoder().decode(Uint8Array.from(binary, (character) => character.charCodeAt(0)))
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? (value as { readonly [name: string]: unknown }) : {}
  } catch {
    return {}
  }
}
