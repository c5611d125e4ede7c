import { credentialKindOf } from '../../protocol/discovery.js'
import { ENDPOINTS, type EndpointRow, type Operation } from '../../protocol/endpoints.js'
import { partyOf } from '../approvals/approver.js'
import { approval_grant_revoke, approval_grants } from './approval-grants.js'
import { approval_deny, approval_list, approval_read, approval_withdraw } from './approval-requests.js'
import { audit } from '../operate/audit.js'
import { client_metadata, connection_disconnect, connections, operator_connections } from './connections.js'
import { checkpoint, checkpoints } from './checkpoints.js'
import { discovery, jwks, manifestEndpoint, openapiEndpoint, toolsEndpoint } from './documents.js'
import { QUERY_PARAMETERS } from '../../protocol/query-parameters.js'
import type { Endpoint } from '../endpoint/endpoint.js'
import { readQuery } from '../request/query.js'
import { operator_event_resend, operator_events } from './events.js'
import { graph } from './graph.js'
import { live, ready } from './health.js'
import { invokeEndpoint } from './invoke.js'
import { metricsEndpoint } from './metrics.js'
import { auditor_trail } from './auditor.js'
import { audit_stream } from './audit-stream.js'
import {
  operator_approvals,
  operator_block_lift,
  operator_blocks,
  operator_pause,
  operator_paused,
  operator_resume,
  operator_revoke,
  operator_tokens,
} from './operators.js'
import { operator_invocation_resolve } from './resolve-invocation.js'
import { permissions } from './permissions.js'
import { revokeEndpoint } from './revoke.js'
import { tokens } from './tokens.js'

/** Operation -> what it does: a row of `protocol/endpoints.ts` without one does not compile. */
const ANSWERED = {
  discovery, jwks, manifest: manifestEndpoint, tools: toolsEndpoint, openapi: openapiEndpoint, tokens, revoke: revokeEndpoint, permissions, invoke: invokeEndpoint, approval_list, approval_read, approval_deny, approval_withdraw,
  approval_grants, approval_grant_revoke, audit,  checkpoints, checkpoint, graph, live, ready,
  operator_tokens, operator_revoke, operator_blocks, operator_block_lift, operator_paused, operator_pause, operator_resume, operator_invocation_resolve, operator_approvals, operator_events, operator_event_resend,
  connections, connection_disconnect, operator_connections, client_metadata,
  auditor_trail, audit_stream, metrics: metricsEndpoint,
} satisfies { readonly [operation in Operation]: Endpoint } // prettier-ignore

/** An endpoint that reads no query refuses one: what it would ignore, the caller would believe in. */
const withoutQuery =
  (operation: Operation, endpoint: Endpoint): Endpoint =>
  async (service, call) => {
    // Who shows no credential is told that first (section 5.5).
    const isOpen = credentialKindOf(service.manifest, operation) === 'none'
    if (call.query.size > 0 && (isOpen || call.authorization !== null)) readQuery(call.query, [])
    return endpoint(service, call)
  }

/** An endpoint that tells the manifest, which may be for callers with a credential only; their copy is their own. */
const gated =
  (operation: Operation, endpoint: Endpoint): Endpoint =>
  async (service, call) => {
    if (credentialKindOf(service.manifest, operation) === 'none') return endpoint(service, call)
    await partyOf(service, call)
    const answer = await endpoint(service, call)
    return 'document' in answer ? { document: { ...answer.document, isPrivate: true } } : answer
  }

const answeredBy = (operation: Operation, endpoint: Endpoint): Endpoint => {
  const row: EndpointRow = ENDPOINTS[operation]
  const own = row.tellsManifest === true ? gated(operation, endpoint) : endpoint
  return Object.hasOwn(QUERY_PARAMETERS, operation) ? own : withoutQuery(operation, own)
}

export const endpoints = Object.fromEntries(
  Object.entries(ANSWERED).map(([operation, endpoint]) => [operation, answeredBy(operation as Operation, endpoint)]),
) as { readonly [operation in Operation]: Endpoint }
