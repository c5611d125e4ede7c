/** SHA-256 by the browser itself (WebCrypto), over what RFC 9162 says of leaves and nodes. */

const sha256 = async (data: Uint8Array<ArrayBuffer>): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', data))

const joined = (...parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> => {
  const all = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.length
  }
  return all
}

export const leafHash = (text: string): Promise<Uint8Array> =>
  sha256(joined(Uint8Array.of(0), new TextEncoder().encode(text)))

const nodeHash = (left: Uint8Array, right: Uint8Array): Promise<Uint8Array> =>
  sha256(joined(Uint8Array.of(1), left, right))

/** `sha256:<hex>` of 32 bytes. */
export const hashText = (hash: Uint8Array): string =>
  `sha256:${[...hash].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

/** The bytes of `sha256:<hex>`; none of any other text. */
export const hashBytes = (text: string): Uint8Array =>
  /^sha256:[0-9a-f]{64}$/u.test(text)
    ? Uint8Array.from(text.slice(7).match(/../gu) ?? [], (pair) => Number.parseInt(pair, 16))
    : new Uint8Array()

export interface Inclusion {
  readonly leaf: Uint8Array
  /** From 0. */
  readonly index: number
  readonly size: number
  readonly path: readonly Uint8Array[]
}

/** The root that a leaf and its path lead to (RFC 9162, section 2.1.3.2); undefined where they lead nowhere. */
export async function rootFrom({ leaf, index, size, path }: Inclusion): Promise<Uint8Array | undefined> {
  if (index < 0 || index >= size || [leaf, ...path].some((hash) => hash.length !== 32)) return undefined
  let [position, last, hash] = [index, size - 1, leaf]
  for (const sibling of path) {
    if (last === 0) return undefined
    if (position % 2 === 1 || position === last) {
      hash = await nodeHash(sibling, hash)
      while (position % 2 === 0) [position, last] = [position / 2, Math.floor(last / 2)]
    } else {
      hash = await nodeHash(hash, sibling)
    }
    ;[position, last] = [Math.floor(position / 2), Math.floor(last / 2)]
  }
  return last === 0 ? hash : undefined
}
