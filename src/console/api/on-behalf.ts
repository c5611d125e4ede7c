import type { Operation } from '../../protocol/endpoints.js'
import type { Json } from '../../protocol/manifest.js'
import { endpoints } from '../../runtime/endpoints/index.js'
import { httpResponseOf } from '../../runtime/http/response.js'
import type { HttpResponse } from '../../runtime/http/exchange.js'
import type { Service } from '../../runtime/service.js'
import type { SignedInVisit } from '../visit.js'

/**
 * Names nobody: it means the person of the session, to the service of this one visit, and is unknown everywhere else.
 */
const HANDLE = 'console-session'

interface Asked {
  readonly segments?: { readonly [name: string]: string }
  readonly query?: URLSearchParams
  readonly body?: Json
}

/**
 * Asks an endpoint of the service as the person who has signed in: it decides, as it would for their own credential.
 */
export async function askOnBehalf(
  visit: SignedInVisit,
  operation: Operation,
  asked: Asked = {},
): Promise<HttpResponse> {
  const { segments = {}, query = new URLSearchParams(), body } = asked
  const answer = await endpoints[operation](serviceFor(visit), {
    authorization: `Bearer ${HANDLE}`,
    segments,
    query,
    idempotencyKey: null,
    client: visit.request.client,
    caller: {},
    body: async () => body,
    ...(visit.whenLeft && { whenLeft: visit.whenLeft }),
  })
  return httpResponseOf(answer, visit.request)
}

/** The service, to whom this person has shown who they are. */
export const serviceFor = ({ setting: { service }, person: { known } }: SignedInVisit): Service => ({
  ...service,
  bootstrap: async (bearer) => (bearer === HANDLE ? known : undefined),
})
