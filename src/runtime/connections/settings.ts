/** Settings of connections, as the code that calls an upstream system declares them (decisions, section 19). */

/** Way in which people connect accounts of theirs at an upstream system: OAuth 2.1, authorization code with PKCE. */
export interface ConnectionSettings {
  /** Issuer of the authorization server, whose metadata names its endpoints (RFC 8414, OpenID Connect Discovery). */
  readonly issuer?: string
  /** Address of an MCP server; its own metadata names the authorization server unless `issuer` does (RFC 9728). */
  readonly address?: string
  /** Endpoints, if the server publishes no metadata. */
  readonly authorizationUrl?: string
  readonly tokenUrl?: string
  /** Resource that tokens are for (RFC 8707). */
  readonly resource?: string
  /** Scopes that each person is asked for; if there are none, those that an MCP server asks for. */
  readonly scopes: readonly string[]
  /** Scopes that the upstream system may ask for besides, by a challenge; all others are refused. */
  readonly furtherScopes?: readonly string[]
  /** Client at the authorization server; else the metadata document of this service, else one that is registered. */
  readonly clientId?: string | undefined
  readonly clientSecret?: string | undefined
  /** Name for people; the upstream's own unless given. */
  readonly title?: string
}

const declared = new Map<string, () => ConnectionSettings | undefined>()

/** Notes how people connect to an upstream system; undefined if the environment has one credential for all of them. */
export const declareConnection = (upstream: string, settings: () => ConnectionSettings | undefined): void =>
  void declared.set(upstream, settings)

export const hasConnections = (upstream: string): boolean => declared.has(upstream)

export const connectionSettings = (upstream: string): ConnectionSettings | undefined => declared.get(upstream)?.()
