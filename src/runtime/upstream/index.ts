/**
 * What imported handlers rest on: calls of the service behind this one, with its own credential (`svc-kit/upstream`).
 */
export { httpUpstream, type HttpSettings, type HttpUpstream } from './http.js'
export type { HttpCredential } from './credentials.js'
export type { ClientCredentials } from './client-tokens.js'
export type { HttpInput, HttpOperation, HttpOutput, HttpSecurity } from './operation.js'
export { UpstreamUncertain, type UpstreamContext, type UpstreamFailure } from './context.js'
export type { AnswerForm, AskedForm } from './mcp/asked-forms.js'
export { openMcpChannel } from './mcp/sessions.js'
export { mcpUpstream, type McpSettings, type McpUpstream } from './mcp/mcp.js'
export type { McpContext, McpFailure, McpOperation } from './mcp/operation.js'
export type {
  Environment,
  ReachableHosts,
  PinnedAddress,
  PinnedContainer,
  PinnedProcess,
  PinnedUpstream,
  Power,
} from './mcp/pinned.js'
/** For who imports a server. */
export { upstreamToolDigest, listUpstreamTools, type UpstreamTool } from './mcp/session.js'
export { childChannel } from './mcp/child.js'
export type { McpChannel } from './mcp/channel.js'
export { isPinnedImage } from './mcp/container.js'
export { refusedPermission } from './mcp/refused-permission.js'
export { POWERS } from './mcp/confined.js'
export { unconfinedIn } from './mcp/unconfined.js'
export { isAtOrBelow, type ChildHome } from './mcp/view.js'
export { installedAt } from './mcp/installed.js'
