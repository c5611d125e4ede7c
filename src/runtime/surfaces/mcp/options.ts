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
  /** Lists the schemas of results, too. Most models read them and do not use them; left out when absent. */
  readonly outputSchemas?: boolean
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
  /**
   * Gives clients of revisions before 2026-07-28 a session over HTTP, so that handlers can ask them and they hear
   * messages. The session id is signed and says what the client can do; no process remembers it. An answer must reach
   * the process that asks: with several replicas, route by the header `Mcp-Session-Id`.
   */
  readonly sessions?: boolean
  /** Prompts that people choose in their client, by their names. */
  readonly prompts?: { readonly [name: string]: McpPrompt }
  /**
   * Resources, by their addresses: `shop://terms`, or `shop://orders/{order_id}` with inputs of the capability as
   * variables.
   */
  readonly resources?: { readonly [address: string]: McpResource }
}

/** Text of the author, with `{argument}` where an argument goes. Whoever may call its capabilities sees it. */
export interface McpPrompt {
  readonly title?: string
  readonly description: string
  readonly arguments?: { readonly [name: string]: PromptArgument }
  readonly messages: readonly PromptPart[]
  /** Capabilities that the prompt is about: a token that may not call all of them does not see it. */
  readonly capabilities?: readonly string[]
}

/** Argument of a prompt: a text. */
export interface PromptArgument {
  readonly description?: string
  readonly required?: boolean
  /** The only values that are taken; clients offer them while a person types. */
  readonly values?: readonly string[]
  /** Question to the person whose client gave no value, where the client can show a form. */
  readonly ask?: string
}

/** Message of a prompt. `resource` is the address of a resource of this service, read with the caller's token. */
export type PromptPart = { readonly role?: 'user' | 'assistant' } & (
  | { readonly text: string }
  | { readonly resource: string }
  | { readonly image: Uint8Array; readonly mimeType: string }
  | { readonly audio: Uint8Array; readonly mimeType: string }
)

/** The result of a capability without effects, as the contents of an address. Each read is a call of it. */
export interface McpResource {
  readonly capability: string
  /** Name, title and description of the capability unless given. */
  readonly name?: string
  readonly title?: string
  readonly description?: string
  /** Member of the result that is the text, or the bytes in base64; without either, the result as JSON. */
  readonly text?: string
  readonly blob?: string
  readonly mimeType?: string
  /**
   * Capabilities with effects that change it: a session that subscribes is told of their calls over MCP, in this
   * process, with the next answer that it gets. Clients of 2026-07-28 cannot subscribe.
   */
  readonly changedBy?: readonly string[]
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
