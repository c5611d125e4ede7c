/** The signing keys of a service: a role and a state each; a key never verifies another role's artefact. */
import { generateKeyPairSync } from 'node:crypto'
import type { Jwks, PrivateJwk, PublicJwk } from '../../protocol/jwk.js'
import type { LastCheckpoint } from '../../protocol/published-keys.js'
import { KEY_ROLES, SECRET_ROLES, type KeyRole, type KeyState } from '../../protocol/words.js'
import { publicJwkOf, thumbprint } from './jwk.js'
import { signerFromJwk, type Signer } from './signer.js'
import { generateRingSecret, type RingSecret } from './secret-key.js'

export { thumbprint }

export interface RingKey {
  /** RFC 7638 thumbprint. */
  readonly kid: string
  readonly role: KeyRole
  readonly state: KeyState
  readonly publicJwk: PublicJwk
  /** Absent where the private half is kept elsewhere, as an offline publishing key is. */
  readonly signer?: Signer
  /**
   * ms since the epoch from which it signs no more, where that is known; published, so that verifiers judge what is
   * dated later.
   */
  readonly retiredFrom?: number
  /** For `retired`: ms since the epoch until which it verifies. Without it there is no end, as for the audit trail. */
  readonly verifyUntil?: number
  /** Of an audit key that has leaked: the last checkpoint that counts by its signature. */
  readonly untilCheckpoint?: LastCheckpoint
}

export interface KeyRing {
  readonly keys: readonly RingKey[]
  /** Secret keys, never published (decisions, section 20). */
  readonly secrets?: readonly RingSecret[]
  /** Reads the ring anew from where it came, so that a running service follows a rotation. */
  readonly reload?: () => Promise<KeyRing>
  /**
   * Rejects while who holds the keys does not answer; absent where they are in this process.
   */
  readonly ready?: () => Promise<unknown>
  /** The directory that it came from; what was signed last is remembered there, too. */
  readonly directory?: string
}

/** There is no active key with a signer for a role. The message says what to do. */
export class MissingSigningKey extends Error {
  override readonly name = 'MissingSigningKey'
}

/** The signer of a role's active key. Throws `MissingSigningKey` when there is none. */
export function signerFor(ring: KeyRing, role: KeyRole): Signer {
  const signer = ring.keys.find(
    (key) => key.role === role && key.state === 'active' && key.signer !== undefined,
  )?.signer
  if (signer === undefined)
    throw new MissingSigningKey(
      `There is no active signing key for ${role}. Make one with: svc keys generate --role ${role}`,
    )
  return signer
}

/**
 * The keys that verify a role's artefacts at a time (ms): `next` and `active` ones, and `retired` ones until their end.
 */
export const verificationKeys = (ring: KeyRing, role: KeyRole, now: number): readonly RingKey[] =>
  ring.keys.filter((key) => key.role === role && isVerifying(key, now))

/** The public keys of a ring as they are served at a time (ms; section 2.2), in the order of the ring, each once. */
export function jwksOf(ring: KeyRing, now: number): Jwks {
  const verifying = ring.keys.filter((key) => isVerifying(key, now))
  return { keys: [...new Map(verifying.map(({ kid, publicJwk }) => [kid, publicJwk])).values()] }
}

const isVerifying = ({ state, verifyUntil }: RingKey, now: number): boolean =>
  state !== 'retired' || verifyUntil === undefined || now < verifyUntil

/**
 * A new private key, drawn again while its key id begins with a dash: a command line would take that id for an option.
 */
export function generatePrivateJwk(): PrivateJwk {
  for (;;) {
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const { x, y, d } = privateKey.export({ format: 'jwk' })
    const jwk: PrivateJwk = { kty: 'EC', crv: 'P-256', x: x!, y: y!, d: d! }
    if (!thumbprint(jwk).startsWith('-')) return jwk
  }
}

/** A key of a ring, with its signer, from a private key. Throws `TypeError` when the key is not valid. */
export const ringKeyOf = (jwk: PrivateJwk, role: KeyRole, state: KeyState): RingKey => {
  const publicJwk = publicJwkOf(jwk)
  return { kid: publicJwk.kid, role, state, publicJwk, signer: signerFromJwk(jwk) }
}

/** A new key that lives in this process only, as tests and throw-away services need it. */
export const generateRingKey = (role: KeyRole, state: KeyState): RingKey => ringKeyOf(generatePrivateJwk(), role, state)

/** A new ring with an active key of each role, for this process only. */
export const generateRing = (): KeyRing => ({
  keys: KEY_ROLES.map((role) => generateRingKey(role, 'active')),
  secrets: SECRET_ROLES.map(generateRingSecret),
})

/** Keys of a JWKS as verification keys of a role: for who has nothing but the published keys. */
export const ringKeysOf = (jwks: readonly PublicJwk[], role: KeyRole): readonly RingKey[] =>
  jwks.map((publicJwk) => ({ kid: publicJwk.kid, role, state: 'active', publicJwk }))
