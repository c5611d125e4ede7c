/** A person who agrees at once to what an authorization server asks, with a service's own code before and after. */
import { beginConsent, endConsent, askedScopes } from '../../../dist/runtime/connections/authorize.js'
import { FailedByHandler } from '../../../dist/runtime/errors/refusal.js'
import { failure } from '../../../dist/protocol/failures.js'
import { connectionAt } from '../../../dist/runtime/upstream/mcp/in-account.js'

const OWN = {
  documentUrl: 'https://conformance-test.local/client-metadata.json',
  redirectUri: 'http://localhost:3000/callback',
  name: 'Conformance',
}

/** Returns the account of a person, as a call is given it; kept in memory. */
export function agreeingPerson(pinned, environment) {
  const settings = connectionAt(pinned, environment())
  let consent
  let wanted = []
  const connected = async () => {
    const { location, underWay } = await beginConsent(settings, OWN, wanted)
    const { headers } = await fetch(location, { redirect: 'manual' })
    return endConsent(settings, underWay, new URL(headers.get('location')).searchParams, Date.now())
  }
  return {
    person: 'human:ana',
    token: async () => (consent ??= await connected()).tokens.access_token,
    refused: (token) => {
      if (consent?.tokens.access_token === token) consent = undefined
    },
    needs: async (scopes) => {
      const more = scopes.filter((scope) => !consent.scopes.includes(scope))
      if (more.length === 0 || more.some((scope) => !askedScopes(settings, more).includes(scope))) return
      wanted = [...consent.scopes, ...more]
      consent = undefined
      throw new FailedByHandler(failure('connection_required', 'More scope is wanted.'))
    },
  }
}
