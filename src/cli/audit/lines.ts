const LINE_FEED = 0x0a

export interface LineSplitter {
  push(chunk: Uint8Array): void
  /** Hands on what is left. Holds when the last byte was a line feed. */
  end(): boolean
}

/** Hands on each line without its line feed. Only a line feed ends a line, because an export is sealed over its bytes. */
export function lineSplitter(take: (line: Uint8Array) => void): LineSplitter {
  let rest: Uint8Array = new Uint8Array(0)
  let pushed = false
  return {
    push: (chunk) => {
      pushed ||= chunk.length > 0
      const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
      let start = 0
      for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, start)) {
        take(bytes.subarray(start, end))
        start = end + 1
      }
      rest = bytes.subarray(start)
    },
    end: () => {
      if (rest.length > 0) take(rest)
      return pushed && rest.length === 0
    },
  }
}
