import { ENDPOINTS, type Operation } from '../../protocol/endpoints.js'
import { approval_grant_revoke, approval_grants } from './approval-grants.js'
import { approval_deny, approval_list, approval_read, approval_withdraw } from './approval-requests.js'
import { audit } from '../operate/audit.js'
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
  auditor_trail, audit_stream, metrics: metricsEndpoint,
} satisfies { readonly [operation in Operation]: Endpoint } // prettier-ignore

const isOpen = (operation: Operation): boolean => ENDPOINTS[operation].credential === 'none'

/** An endpoint that reads no query refuses one: what it would ignore, the caller would believe in. */
const withoutQuery =
  (endpoint: Endpoint, isOpen: boolean): Endpoint =>
  async (service, call) => {
    // Who shows no credential is told that first (section 5.5).
    if (call.query.size > 0 && (isOpen || call.authorization !== null)) readQuery(call.query, [])
    return endpoint(service, call)
  }

export const endpoints = Object.fromEntries(
  Object.entries(ANSWERED).map(([operation, endpoint]) => [
    operation,
    Object.hasOwn(QUERY_PARAMETERS, operation) ? endpoint : withoutQuery(endpoint, isOpen(operation as Operation)),
  ]),
) as { readonly [operation in Operation]: Endpoint }
