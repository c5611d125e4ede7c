/** Options of the console. */
export interface ConsoleOptions {
  /**
   * The console as the identity provider knows it: a client that may ask for ID tokens by code. Without one, nobody
   * signs in there.
   */
  readonly clientId?: string | undefined
  /** Of a confidential client; a public one has none. */
  readonly clientSecret?: string | undefined
  /** Provider that people sign in at; if absent, the service's only one. */
  readonly issuer?: string | undefined
  /** Scope requested from the provider; `openid email` if absent. */
  readonly scope?: string | undefined
  /**
   * Development mode: people may sign in with an API key, if the service listens on a loopback address and nothing
   * stands between. Never set it where others reach the service.
   */
  readonly development?: boolean | undefined
}
