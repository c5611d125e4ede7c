import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { checkServerIdentity, TLSSocket } from 'node:tls'
import { sha256 } from '../../crypto/json/digest.js'
import { isSecret, SECRET_CHARACTERS } from '../../runtime/keys/secret.js'
import { CliError } from '../shared/errors/cli-error.js'

/** Callers that a signer accepts. */
export interface Callers {
  /** Returns the name of a caller, if it may ask. */
  readonly nameOf: (request: IncomingMessage) => string | undefined
  readonly refusal: string
}

/** Accepts callers that know the secret: any process of the service's user can connect to the socket. */
export function callersWithSecret(secret = ''): Callers {
  if (!isSecret(secret))
    throw new CliError(
      `On a socket a signer asks for a secret: set SVC_SIGNER_SECRET, here and for the service, to at least ` +
        `${SECRET_CHARACTERS.fewest} characters, ${SECRET_CHARACTERS.different} of them different. Make one with: node -p 'crypto.randomBytes(32).toString("hex")'`,
    )
  const expected = sha256(Buffer.from(`Bearer ${secret}`))
  const isKnown = (given: string): boolean => timingSafeEqual(sha256(Buffer.from(given)), expected)
  return {
    nameOf: ({ headers }) => (isKnown(headers.authorization ?? '') ? 'socket' : undefined),
    refusal: 'The secret is not that of this signer. Set the same SVC_SIGNER_SECRET for the service.',
  }
}

/** Accepts callers whose certificate has one of the names. */
export const callersNamed = (names: readonly string[]): Callers => ({
  nameOf: ({ socket }) => (socket instanceof TLSSocket ? nameAmong(names, socket) : undefined),
  refusal: 'The certificate is of nobody who may ask. Name it with --client.',
})

function nameAmong(names: readonly string[], socket: TLSSocket): string | undefined {
  const certificate = socket.getPeerCertificate()
  if (!socket.authorized || certificate.subject === undefined) return undefined
  return names.find((name) => checkServerIdentity(name, certificate) === undefined)
}
