/** Answers to a person's token: a refused one is renewed once, and wanted scopes are asked for (RFC 6750, section 3). */
import type { UpstreamAccount } from '../definition.js'
import { challengedScopes, challengeMember } from '../net/challenge.js'

/** An answer, and the token of a person that was sent, if one was. */
export interface PersonalAnswer {
  readonly response: Response
  readonly personal?: string | undefined
}

/** Sends a request in a person's account. A status of 401 says that nothing was done: it is sent again, once. */
export async function asPerson(
  account: UpstreamAccount | undefined,
  send: () => Promise<PersonalAnswer>,
): Promise<Response> {
  const first = await send()
  if (account === undefined || first.personal === undefined) return first.response
  if (first.response.status !== 401) return withScopes(account, first.response)
  void first.response.body?.cancel().catch(() => undefined)
  await account.refused(first.personal)
  const second = await send()
  if (second.response.status === 401 && second.personal !== undefined) await account.refused(second.personal)
  return withScopes(account, second.response)
}

async function withScopes(account: UpstreamAccount, response: Response): Promise<Response> {
  const scopes = wantedScopes(response.status, response.headers.get('www-authenticate'))
  if (scopes.length > 0) await account.needs(scopes)
  return response
}

/** Scopes that a challenge asks for, where what was given does not suffice. */
export function wantedScopes(status: number, challenge: string | null): readonly string[] {
  return status === 403 && challengeMember(challenge, 'error') === 'insufficient_scope'
    ? challengedScopes(challenge)
    : []
}
