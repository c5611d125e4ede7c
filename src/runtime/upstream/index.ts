/**
 * What imported handlers rest on: calls of the service behind this one, with its own credential (`svc-kit/upstream`).
 */
export { httpUpstream, type HttpCredential, type HttpSettings, type HttpUpstream } from './http.js'
export type { HttpInput, HttpOperation, HttpOutput } from './operation.js'
export { UpstreamUncertain, type UpstreamContext, type UpstreamFailure } from './context.js'
export { mcpUpstream, type McpContext, type McpFailure, type McpOperation, type McpUpstream } from './mcp/mcp.js'
export type { Environment, PinnedAddress, PinnedProcess, PinnedUpstream, Power } from './mcp/pinned.js'
/** For who imports a server. */
export { beginUpstreamSession, upstreamToolDigest, listUpstreamTools, type UpstreamTool } from './mcp/session.js'
export { childChannel } from './mcp/child.js'
export { isAtOrBelow, POWERS, type ChildHome } from './mcp/confined.js'
export { installedAt } from './mcp/installed.js'
export { httpChannel } from './mcp/http-channel.js'
