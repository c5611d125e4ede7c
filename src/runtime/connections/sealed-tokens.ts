/**
 * Tokens of a connection as the database holds them: AES-256-GCM (NIST SP 800-38D) by the `connections` key, bound to
 * service, row, person, upstream and key (decisions, section 19; threat N38).
 */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { decodeBase64url } from '../../crypto/json/base64url.js'
import { canonicalText } from '../../crypto/json/canonical.js'
import type { RingSecret } from '../../crypto/keys/secret-key.js'

/** Place that a text is encrypted for: it opens nowhere else. */
export interface SealedPlace {
  readonly service: string
  readonly row: string
  readonly person: string
  readonly upstream: string
}

export const NO_CONNECTIONS_KEY =
  'There is no active key for the role connections. Make one with: svc keys generate --role connections'

const NONCE_BYTES = 12
const TAG_BYTES = 16
/** The form of what is bound; another form gets another number. */
const FORM = 1

const boundTo = ({ service, row, person, upstream }: SealedPlace, kid: string): Buffer =>
  Buffer.from(canonicalText([FORM, service, row, person, upstream, kid]))

/** Returns the secret that encrypts now; undefined where the ring has none. */
export const connectionsKey = (secrets: readonly RingSecret[] = []): RingSecret | undefined =>
  secrets.find(({ role, state, secret }) => role === 'connections' && state === 'active' && secret !== undefined)

/** Encrypts a text for its place: `<kid>.<base64url>`. */
export function encryptedText({ kid, secret }: RingSecret, place: SealedPlace, text: string): string {
  const nonce = randomBytes(NONCE_BYTES)
  const cipher = createCipheriv('aes-256-gcm', secret!, nonce).setAAD(boundTo(place, kid))
  const parts = [nonce, cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]
  return `${kid}.${Buffer.concat(parts).toString('base64url')}`
}

/** Returns the text; undefined without its key, and for a text of another place, service or key. */
export function decryptedText(
  secrets: readonly RingSecret[] = [],
  place: SealedPlace,
  sealed: string,
): string | undefined {
  const [kid = '', body = ''] = sealed.split('.')
  const found = secrets.find((each) => each.role === 'connections' && each.kid === kid)
  const bytes = decodeBase64url(body)
  if (found?.secret === undefined || bytes === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) return undefined
  const decipher = createDecipheriv('aes-256-gcm', found.secret, bytes.subarray(0, NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
  decipher.setAAD(boundTo(place, kid)).setAuthTag(bytes.subarray(-TAG_BYTES))
  try {
    return decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES), undefined, 'utf8') + decipher.final('utf8')
  } catch {
    return undefined
  }
}
