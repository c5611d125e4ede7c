import type { HttpResponse } from '../../runtime/http/exchange.js'
import { formOf } from '../body.js'
import { assertFresh } from '../session/entitled.js'
import { askOnBehalf } from './on-behalf.js'
import type { ConsoleRoute, SignedInVisit } from '../visit.js'

/** Tokens, for operators: the service itself says who is one. */
export const tokenRoutes: readonly ConsoleRoute[] = [
  { method: 'GET', path: '/api/tokens', isPassive: true, signedIn: (visit) => askOnBehalf(visit, 'operator_tokens', { query: visit.query }) }, // prettier-ignore
  { method: 'POST', path: '/api/tokens/revoke', signedIn: revoke },
]

async function revoke(visit: SignedInVisit): Promise<HttpResponse> {
  assertFresh(visit.person)
  const body = await formOf(visit, 'operator_revoke')
  return askOnBehalf(visit, 'operator_revoke', body === undefined ? {} : { body })
}
