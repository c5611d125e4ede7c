/**
 * ES256 with the nonce of RFC 6979, so that golden vectors are the same bytes each time. Slow and not constant in time: for tests.
 */
import { createHash, createHmac } from 'node:crypto'
import { ringKeyOf, type RingKey } from '../../../src/crypto/keys/key-ring.js'
import type { PrivateJwk } from '../../../src/protocol/jwk.js'
import type { KeyRole } from '../../../src/protocol/words.js'

const P = 0xffffffff00000001000000000000000000000000ffffffffffffffffffffffffn
const N = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n
const G: Point = {
  x: 0x6b17d1f2e12c4247f8bce6e563a440f277037d812deb33a0f4a13945d898c296n,
  y: 0x4fe342e2fe1a7f9b8ee7eb4a7c0f9e162bce33576b315ececbb6406837bf51f5n,
}

interface Point {
  readonly x: bigint
  readonly y: bigint
}

const mod = (value: bigint, modulus: bigint): bigint => ((value % modulus) + modulus) % modulus

function inverse(value: bigint, modulus: bigint): bigint {
  let [low, high, one, two] = [mod(value, modulus), modulus, 1n, 0n]
  while (low > 1n) {
    const quotient = high / low
    ;[low, high, one, two] = [high - quotient * low, low, two - quotient * one, one]
  }
  return mod(one, modulus)
}

function add(a: Point | undefined, b: Point | undefined): Point | undefined {
  if (a === undefined || b === undefined) return a ?? b
  if (a.x === b.x && mod(a.y + b.y, P) === 0n) return undefined
  const slope = a.x === b.x ? 3n * (a.x * a.x - 1n) * inverse(2n * a.y, P) : (b.y - a.y) * inverse(b.x - a.x, P)
  const x = mod(slope * slope - a.x - b.x, P)
  return { x, y: mod(slope * (a.x - x) - a.y, P) }
}

function times(factor: bigint, point: Point): Point {
  let [sum, doubled]: [Point | undefined, Point | undefined] = [undefined, point]
  for (let rest = factor; rest > 0n; rest >>= 1n) {
    if (rest % 2n === 1n) sum = add(sum, doubled)
    doubled = add(doubled, doubled)
  }
  return sum!
}

const bytesOf = (value: bigint): Buffer => Buffer.from(value.toString(16).padStart(64, '0'), 'hex')
const numberIn = (bytes: Uint8Array): bigint => BigInt(`0x${Buffer.from(bytes).toString('hex')}`)
const sha256 = (data: Uint8Array | string): Buffer => createHash('sha256').update(data).digest()

/** The nonce of RFC 6979, section 3.2, for P-256 and SHA-256. */
function nonce(secret: bigint, hash: Buffer): bigint {
  let [key, value] = [Buffer.alloc(32, 0), Buffer.alloc(32, 1)]
  const mac = (...parts: readonly Uint8Array[]) => createHmac('sha256', key).update(Buffer.concat(parts)).digest()
  for (const mark of [0, 1]) {
    key = mac(value, Buffer.of(mark), bytesOf(secret), bytesOf(mod(numberIn(hash), N)))
    value = mac(value)
  }
  for (;;) {
    value = mac(value)
    const candidate = numberIn(value)
    if (candidate > 0n && candidate < N) return candidate
    key = mac(value, Buffer.of(0))
    value = mac(value)
  }
}

/** r and s, 64 bytes. */
export function signDeterministically(data: Uint8Array, secret: bigint): Uint8Array {
  const hash = sha256(data)
  const k = nonce(secret, hash)
  const r = mod(times(k, G).x, N)
  const s = mod(inverse(k, N) * (numberIn(hash) + r * secret), N)
  return Buffer.concat([bytesOf(r), bytesOf(s)])
}

/** A key made from a name, with a deterministic signer. */
export function goldenKey(name: string, role: KeyRole): RingKey & { readonly privateJwk: PrivateJwk } {
  const secret = mod(numberIn(sha256(name)), N - 1n) + 1n
  const { x, y } = times(secret, G)
  const text = (value: bigint) => bytesOf(value).toString('base64url')
  const privateJwk: PrivateJwk = { kty: 'EC', crv: 'P-256', x: text(x), y: text(y), d: text(secret) }
  const { kid, publicJwk } = ringKeyOf(privateJwk, role, 'active')
  const signer = { kid, sign: (data: Uint8Array) => signDeterministically(data, secret) }
  return { kid, role, state: 'active', publicJwk, signer, privateJwk }
}
