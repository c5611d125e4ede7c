/** A fixed sequence of numbers below 2^32 (mulberry32), so that a run can be had again. */
export function numbersFrom(seed: number): () => number {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return (mixed ^ (mixed >>> 14)) >>> 0
  }
}

/** Pieces on which parsers have failed before, for any format. */
const PIECES = [
  '', '\0', '\n', '\r\n', ' ', '\t', '"', "'", '\\', '/', '.', '..', ',', ':', ';', '&', '=', '%', '%00', '%ff', '+', '#', '?', '-', '_', '~',
  '[', ']', '{', '}', '[[[[[[[[', '{"a":', '{}', '[]', 'null', 'true', '0', '-0', '-1', '1e999', '1E400', '9007199254740993', '0.1', '1e-7',
  '\uFEFF', '\u202E', '\u200B', '\u{1F600}', '\\ud800', '\\u0000', '__proto__', 'constructor', 'toString', 'PT1H', 'none', 'HS256', '=='
].map((piece) => Buffer.from(piece)) // prettier-ignore

/** Half a surrogate pair and other bytes that are no UTF-8. */
const BROKEN = [[0xed, 0xa0, 0x80], [0xc0, 0xaf], [0xff], [0xfe, 0xff], [0xf4, 0x90, 0x80, 0x80], [0xe2, 0x80]].map(
  (bytes) => Buffer.from(bytes),
)

const spliced = (bytes: Uint8Array, at: number, cut: number, piece: Uint8Array): Uint8Array =>
  Buffer.concat([bytes.subarray(0, at), piece, bytes.subarray(at + cut)])

/** The input with one to eight edits: bits turned, bytes set, pieces put in, cut out, repeated, or taken from another input. */
export function mutated(pool: readonly Uint8Array[], words: readonly string[], next: () => number): Buffer {
  const any = <Item>(items: readonly Item[]): Item => items[next() % items.length]!
  const pieces = [...PIECES, ...BROKEN]
  let bytes: Uint8Array = Buffer.from(any(pool))
  for (let edits = 1 + (next() % (1 << (next() % 4))); edits > 0; edits--) {
    const at = next() % (bytes.length + 1)
    const length = next() % (1 + Math.min(bytes.length - at, next() % 2 === 0 ? 4 : 64))
    const kind = next() % 8
    if (kind === 0 && at < bytes.length) bytes[at]! ^= 1 << (next() % 8)
    else if (kind === 1 && at < bytes.length) bytes[at] = next() % 256
    else if (kind === 2) bytes = spliced(bytes, at, length, Buffer.alloc(0))
    else if (kind === 3) bytes = spliced(bytes, at, 0, bytes.subarray(at, at + length))
    else if (kind === 4) bytes = spliced(bytes, at, length, partOf(any(pool), next))
    else if (kind === 5 && words.length > 0) bytes = spliced(bytes, at, length, Buffer.from(any(words)))
    else bytes = spliced(bytes, at, next() % 2 === 0 ? length : 0, any(pieces))
  }
  return Buffer.from(bytes)
}

function partOf(bytes: Uint8Array, next: () => number): Uint8Array {
  const from = next() % (bytes.length + 1)
  return bytes.subarray(from, from + (next() % 64))
}
