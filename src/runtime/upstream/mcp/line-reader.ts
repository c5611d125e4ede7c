/** Lines of a stream. A byte is copied a bounded number of times, however small the parts are in which it comes. */
export interface ReadLines {
  readonly lines: readonly string[]
  /** A line is longer than it may be; what came after it was not read. */
  readonly isTooLong: boolean
}

const LINE_END = 10
const KEPT_BYTES = 64 * 1024

/** Returns a function that takes the parts of a stream and returns the lines that each of them ends. */
export function lineReader(mostBytes: number): (chunk: Uint8Array) => ReadLines {
  let held = Buffer.alloc(KEPT_BYTES)
  let length = 0
  const hold = (part: Uint8Array): void => {
    if (length + part.length > held.length) held = grown(held.subarray(0, length), part.length)
    held.set(part, length)
    length += part.length
  }
  const lineEndedBy = (part: Uint8Array): string => {
    hold(part)
    const line = held.toString('utf8', 0, length)
    length = 0
    if (held.length > KEPT_BYTES) held = Buffer.alloc(KEPT_BYTES)
    return line
  }
  return (chunk) => {
    const lines: string[] = []
    let from = 0
    for (let at = chunk.indexOf(LINE_END); at !== -1; at = chunk.indexOf(LINE_END, from)) {
      if (length + at - from > mostBytes) return { lines, isTooLong: true }
      lines.push(lineEndedBy(chunk.subarray(from, at)))
      from = at + 1
    }
    if (length + chunk.length - from > mostBytes) return { lines, isTooLong: true }
    hold(chunk.subarray(from))
    return { lines, isTooLong: false }
  }
}

function grown(held: Uint8Array, by: number): Buffer<ArrayBuffer> {
  const larger = Buffer.alloc(Math.max(2 * held.length, held.length + by))
  larger.set(held)
  return larger
}
