/** Challenges of a resource that wants a token (RFC 6750, section 3; RFC 9728, section 5.1). */

const LONGEST = 8_000
const MOST_SCOPES = 50
const SCOPE = /^[\x21\x23-\x5b\x5d-\x7e]{1,200}$/u

/** Returns a member of a challenge, quoted or not. */
export function challengeMember(challenge: string | null, name: string): string | undefined {
  const member = new RegExp(`(?:^|[\\s,])${name}=(?:"([^"]{0,4000})"|([^\\s,"]{1,4000}))`, 'iu')
  const [, quoted, plain] = member.exec((challenge ?? '').slice(0, LONGEST)) ?? []
  return quoted ?? plain
}

/** Returns the scopes that a challenge names. */
export function challengedScopes(challenge: string | null): readonly string[] {
  const scopes = (challengeMember(challenge, 'scope') ?? '').split(' ').filter((scope) => SCOPE.test(scope))
  return [...new Set(scopes)].slice(0, MOST_SCOPES)
}
