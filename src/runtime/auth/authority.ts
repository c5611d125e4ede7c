import type { DelegationClaims } from '../../protocol/token.js'
import { classOf, isPrincipal, type Principal } from '../../protocol/principals.js'
import { refuse } from '../errors/refusal.js'

/** What a token will allow: its claims without identity and signing times. */
export type Authority = Omit<DelegationClaims, 'jti' | 'iss' | 'aud' | 'iat' | 'nbf'>

/** The subject asked for, if the issuer may name it. */
export function subjectFor(issuer: Principal, asked: string): Principal {
  if (!isPrincipal(asked))
    return refuse(
      'invalid_parameters',
      'The member subject must be a principal: human:, agent:, service: or oidc: and a name.',
    )
  if (mayDelegateTo(issuer, asked)) return asked
  return refuse('insufficient_authority', 'The issuer may not speak for this subject.')
}

/** Nobody delegates in another person's name; agents get delegations from anyone, services not from agents. */
function mayDelegateTo(issuer: Principal, subject: Principal): boolean {
  if (subject === issuer) return true
  const subjectClass = classOf(subject)
  return subjectClass === 'agent' || (subjectClass === 'service' && classOf(issuer) !== 'agent')
}
