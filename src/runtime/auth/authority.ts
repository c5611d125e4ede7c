import type { Limits } from '../../protocol/manifest.js'
import type { DelegationClaims } from '../../protocol/token.js'
import { classOf, isPrincipal, type Principal } from '../../protocol/principals.js'
import { PRINCIPAL_CLASSES, type PrincipalClass } from '../../protocol/words.js'
import { refuse } from '../errors/refusal.js'

/** Rights of a new token: its claims without identity and signing times. */
export type Authority = Omit<DelegationClaims, 'jti' | 'iss' | 'aud' | 'iat' | 'nbf'>

const PEOPLE: ReadonlySet<PrincipalClass> = new Set(['human', 'oidc'])

export const isPerson = (principal: Principal): boolean => PEOPLE.has(classOf(principal))

/** Whom a principal of a class may name as subject, beside itself. */
// prettier-ignore
const MAY_NAME: { readonly [issuer in PrincipalClass]: readonly PrincipalClass[] } = {
  human:   ['agent', 'service'],
  oidc:    ['agent', 'service'],
  service: ['agent', 'service'],
  agent:   ['agent'],
}

/** The subject that a root token is asked for, if its principal may name it. */
export const rootSubject = (issuer: Principal, asked: string | undefined): Principal =>
  asked === undefined ? issuer : namedBy(issuer, asked, MAY_NAME[classOf(issuer)])

/**
 * The subject that a child is asked for, if its issuer may name it. A person may delegate to another one below a token
 * of its own, where the manifest does not forbid it (docs/decisions/who-may-name-whom.md).
 */
export function childSubject(limits: Limits, { sub, root_principal }: DelegationClaims, asked: string | undefined) {
  if (asked === undefined) return sub
  const delegatesToPeople = limits.delegate_to_humans !== false && isPerson(sub) && sub === root_principal
  return namedBy(sub, asked, delegatesToPeople ? PRINCIPAL_CLASSES : MAY_NAME[classOf(sub)])
}

function namedBy(issuer: Principal, asked: string, classes: readonly PrincipalClass[]): Principal {
  if (!isPrincipal(asked))
    return refuse(
      'invalid_parameters',
      'The member subject must be a principal: human:, agent:, service: or oidc: and a name.',
    )
  if (asked === issuer || classes.includes(classOf(asked))) return asked
  const kinds = classes.map((each) => `${each}:`).join(' or ')
  return refuse('insufficient_authority', `Here ${issuer} may name itself or a subject that begins with ${kinds}.`)
}
