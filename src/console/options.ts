/** How the console is served. */
export interface ConsoleOptions {
  /**
   * The console as the identity provider knows it: a client that may ask for ID tokens by code. Without one, nobody
   * signs in there.
   */
  readonly clientId?: string | undefined
  /** Of a confidential client; a public one has none. */
  readonly clientSecret?: string | undefined
  /** Which provider of the service people sign in at; the only one unless given. */
  readonly issuer?: string | undefined
  /** What is asked of the provider: `openid email` unless given. */
  readonly scope?: string | undefined
  /**
   * Development mode: people may sign in with an API key, if the service listens on a loopback address and nothing
   * stands between. Never set it where others reach the service.
   */
  readonly development?: boolean | undefined
}
