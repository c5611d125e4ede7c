import type { Role } from './roles.js'

/** Credentials that an endpoint accepts in `Authorization: Bearer`. */
export type CredentialKind = 'none' | 'bootstrap' | 'delegation' | 'bootstrap_or_delegation'

export interface EndpointRow {
  readonly method: 'GET' | 'POST'
  /** Path with `{name}` for a segment. */
  readonly path: string
  readonly credential: CredentialKind
  /** The role that a bootstrap credential needs. */
  readonly role?: Role
  /** The key in `endpoints` of discovery, when it is listed there (section 2.1). */
  readonly key?: string
  /** The method of the stdio surface that does the same, where there is one (decisions, section 8). */
  readonly rpc?: string
  /** Holds for what tells the manifest: `metadata_disclosure.manifest` decides who may read it (decisions, section 23). */
  readonly tellsManifest?: true
}

/** Operation -> method, path, credential: the only place of these facts (section 4). */
// prettier-ignore
export const ENDPOINTS = {
  discovery:        { method: 'GET',  path: '/.well-known/svc',                    credential: 'none', rpc: 'svc.discovery' },
  jwks:             { method: 'GET',  path: '/.well-known/jwks.json',              credential: 'none', rpc: 'svc.jwks' },
  manifest:         { method: 'GET',  path: '/svc/manifest',                       credential: 'none', key: 'manifest', rpc: 'svc.manifest', tellsManifest: true },
  tools:            { method: 'GET',  path: '/tools.json',                         credential: 'none', rpc: 'svc.tools', tellsManifest: true },
  openapi:          { method: 'GET',  path: '/openapi.json',                       credential: 'none', tellsManifest: true },
  tokens:           { method: 'POST', path: '/svc/tokens',                         credential: 'bootstrap_or_delegation', key: 'tokens', rpc: 'svc.tokens.issue' },
  revoke:           { method: 'POST', path: '/svc/tokens/revoke',                  credential: 'bootstrap_or_delegation', key: 'revocations', rpc: 'svc.tokens.revoke' },
  permissions:      { method: 'POST', path: '/svc/permissions',                    credential: 'delegation', key: 'permissions', rpc: 'svc.permissions' },
  invoke:           { method: 'POST', path: '/svc/invoke/{capability}',            credential: 'delegation', key: 'invoke', rpc: 'svc.invoke' },
  approval_list:    { method: 'GET',  path: '/svc/approval_requests',              credential: 'bootstrap_or_delegation', key: 'approval_requests', rpc: 'svc.approval_requests.list' },
  approval_read:    { method: 'GET',  path: '/svc/approval_requests/{id}',         credential: 'bootstrap_or_delegation', rpc: 'svc.approval_requests.get' },
  approval_deny:    { method: 'POST', path: '/svc/approval_requests/{id}/deny',    credential: 'bootstrap_or_delegation', rpc: 'svc.approval_requests.deny' },
  approval_withdraw: { method: 'POST', path: '/svc/approval_requests/{id}/withdraw', credential: 'bootstrap_or_delegation', rpc: 'svc.approval_requests.withdraw' },
  approval_grants:  { method: 'POST', path: '/svc/approval_grants',                credential: 'bootstrap_or_delegation', key: 'approval_grants', rpc: 'svc.approval_grants.issue' },
  approval_grant_revoke: { method: 'POST', path: '/-/approval_grants/{id}/revoke', credential: 'bootstrap_or_delegation', rpc: 'svc.approval_grants.revoke' },
  audit:            { method: 'POST', path: '/svc/audit',                          credential: 'delegation', key: 'audit', rpc: 'svc.audit.query' },
  checkpoints:      { method: 'GET',  path: '/svc/checkpoints',                    credential: 'none', key: 'checkpoints', rpc: 'svc.checkpoints.list' },
  checkpoint:       { method: 'GET',  path: '/svc/checkpoints/{id}',               credential: 'none', rpc: 'svc.checkpoints.get' },
  graph:            { method: 'GET',  path: '/svc/graph/{capability}',             credential: 'none', key: 'graph', rpc: 'svc.graph', tellsManifest: true },
  operator_tokens:  { method: 'GET',  path: '/-/tokens',                           credential: 'bootstrap', role: 'operator' },
  operator_revoke:  { method: 'POST', path: '/-/tokens/revoke',                    credential: 'bootstrap', role: 'operator' },
  operator_blocks:  { method: 'GET',  path: '/-/blocks',                           credential: 'bootstrap', role: 'operator' },
  operator_block_lift: { method: 'POST', path: '/-/blocks/{id}/lift',              credential: 'bootstrap', role: 'operator' },
  operator_paused:  { method: 'GET',  path: '/-/capabilities',                     credential: 'bootstrap', role: 'operator' },
  operator_pause:   { method: 'POST', path: '/-/capabilities/{name}/pause',        credential: 'bootstrap', role: 'operator' },
  operator_resume:  { method: 'POST', path: '/-/capabilities/{name}/resume',       credential: 'bootstrap', role: 'operator' },
  operator_invocation_resolve: { method: 'POST', path: '/-/invocations/{id}/resolve', credential: 'bootstrap', role: 'operator' },
  operator_approvals: { method: 'GET', path: '/-/approval_requests',               credential: 'bootstrap', role: 'operator' },
  operator_events:  { method: 'GET',  path: '/-/events',                           credential: 'bootstrap', role: 'operator' },
  operator_event_resend: { method: 'POST', path: '/-/events/{id}/resend',          credential: 'bootstrap', role: 'operator' },
  connections:      { method: 'GET',  path: '/-/connections',                      credential: 'bootstrap' },
  connection_disconnect: { method: 'POST', path: '/-/connections/{id}/disconnect', credential: 'bootstrap' },
  operator_connections: { method: 'GET', path: '/-/connections/all',               credential: 'bootstrap', role: 'operator' },
  client_metadata:  { method: 'GET',  path: '/.well-known/svc-client.json',        credential: 'none' },
  auditor_trail:    { method: 'POST', path: '/-/audit',                            credential: 'bootstrap', role: 'auditor' },
  audit_stream:     { method: 'GET',  path: '/-/audit/stream',                     credential: 'bootstrap_or_delegation' },
  metrics:          { method: 'GET',  path: '/-/metrics',                          credential: 'bootstrap', role: 'metrics' },
  live:             { method: 'GET',  path: '/-/live',                             credential: 'none' },
  ready:            { method: 'GET',  path: '/-/ready',                            credential: 'none', key: 'health' },
} as const satisfies { readonly [operation: string]: EndpointRow }

export type Operation = keyof typeof ENDPOINTS

/** The path of an operation with its segments filled in and percent-encoded. */
export const pathOf = (operation: Operation, segments: { readonly [name: string]: string } = {}): string =>
  ENDPOINTS[operation].path.replaceAll(/\{(\w+)\}/gu, (whole, name: string) =>
    Object.hasOwn(segments, name) ? encodeURIComponent(segments[name]!) : whole,
  )
