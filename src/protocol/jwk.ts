/** Public signing keys as served (section 2.2). */
export interface PublicJwk {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  /** RFC 7638 thumbprint. */
  readonly kid: string
  readonly use: 'sig'
  readonly alg: 'ES256'
}

/** A private signing key: never served, never logged. */
export interface PrivateJwk {
  readonly kty: 'EC'
  readonly crv: 'P-256'
  readonly x: string
  readonly y: string
  readonly d: string
}

export interface Jwks {
  readonly keys: readonly PublicJwk[]
}
