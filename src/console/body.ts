import type { Operation } from '../protocol/endpoints.js'
import type { Json } from '../protocol/manifest.js'
import { bodyPoolOf, senderOf } from '../runtime/http/body-sender.js'
import { readBody } from '../runtime/http/body.js'
import type { SignedInVisit, Visit } from './visit.js'

/** The JSON of what a person asks of an operation, at their expense (threats N10, N30); a form cannot send one. */
export const formOf = (
  { setting, request, person: { known } }: SignedInVisit,
  operation: Operation,
): Promise<Json | undefined> =>
  readBody(request, setting.service, senderOf(bodyPoolOf(operation), { principal: known.principal }, request.client))

/** The JSON of somebody who has not signed in (threat N29). */
export const formOfStranger = ({ setting, request }: Visit): Promise<Json | undefined> =>
  readBody(request, setting.service, { pool: 'unknown', network: request.client })
