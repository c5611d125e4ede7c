/** Reasons of refused sign-ins, for the operator: which claim failed, never its value. */
import type { JsonObject } from '../../../protocol/manifest.js'
import type { Log } from '../../definition.js'
import { localRates } from '../../rates/local-rates.js'

/** Option of the provider that a claim is judged by. */
const OPTION_OF: { readonly [claim: string]: string } = {
  iss: 'issuer', aud: 'audience', azp: 'clients', client_id: 'clients', cid: 'clients', appid: 'clients',
  typ: 'tokens', token_use: 'tokens', token_type: 'tokens', nonce: 'tokens', at_hash: 'tokens', c_hash: 'tokens', s_hash: 'tokens', kid: 'jwksOrigins',
  email: 'principal', email_verified: 'principal', entitlements: 'entitlements',
} // prettier-ignore

/** Lines a minute for one claim of one provider: a caller may send as many tokens as it likes. */
const LINES_PER_MINUTE = 5
/** Names of claims in a line of the log. */
const MOST_NAMES = 40
const LONGEST_NAME = 40

export interface SignInLog {
  /** Logs a refusal; the names of claims only where the provider's signature is good. */
  refused(failed: string, claims?: JsonObject): undefined
  /** Logs that a token has too many groups to list: a person then seems to be in none. */
  cut(claims: JsonObject): void
}

export function signInLog(issuer: string, log: Log, now: () => number): SignInLog {
  const lines = localRates(now)
  const info = (about: string, message: string, fields: object): void => {
    if (lines.take(about, LINES_PER_MINUTE) === undefined) log.info(message, { issuer, ...fields })
  }
  return {
    refused: (failed, claims) => {
      const option = OPTION_OF[failed]
      info(failed, 'A token of the identity provider was refused.', {
        failed,
        ...(option !== undefined && { option }),
        ...(claims && { claims: namesIn(claims) }),
      })
    },
    cut: (claims) => {
      if (isCut(claims))
        info('cut', 'A token of the identity provider leaves out the groups: there are too many.', { claim: 'groups' })
    },
  }
}

const namesIn = (claims: JsonObject): readonly string[] =>
  Object.keys(claims)
    .slice(0, MOST_NAMES)
    .map((name) => name.slice(0, LONGEST_NAME))

/** Entra ID names a place to ask for the groups in the token, or says only that there are some. */
const isCut = (claims: JsonObject): boolean =>
  !Object.hasOwn(claims, 'groups') && (Object.hasOwn(claims, '_claim_names') || claims['hasgroups'] === true)
