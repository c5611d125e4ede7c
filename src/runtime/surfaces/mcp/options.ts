import type { Budget } from '../../../protocol/token.js'

/** Options for MCP clients. */
export interface McpOptions {
  /** The address that people and clients reach the service by; https unless it is a loopback address. */
  readonly publicUrl?: string
  /**
   * The page where a person decides about an approval request, by its id; the console's where the service has one.
   * Without a page, a call that needs an approval is answered at once.
   */
  readonly approvalUrl?: (approvalRequestId: string) => string
  /**
   * Lets people sign in with the service's OIDC providers, and says what the agent they use may do. Needs `publicUrl`:
   * access tokens count that were issued for the resource `<publicUrl>/mcp`. Without it, only delegation tokens count.
   */
  readonly profile?: McpProfile
  /**
   * The audience of these access tokens, where the provider does not name the resource: Entra ID names a GUID, or
   * `api://…`. It should be another one than that of the provider's tokens that people bring themselves.
   */
  readonly audience?: string
}

/** Rights of each agent whose person signs in; never more than the person's. */
export interface McpProfile {
  readonly scope: readonly string[]
  /** For all calls with one access token of the provider together, unless its mode says otherwise. */
  readonly budget?: Budget
  /** Never longer than the person is signed in; the manifest's `default_ttl_hours` unless given. */
  readonly ttlHours?: number
  /** Scopes of the provider that clients ask it for, where it wants some: published as `scopes_supported`. */
  readonly providerScopes?: readonly string[]
}
