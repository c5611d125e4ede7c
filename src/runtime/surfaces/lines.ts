const NEWLINE = 0x0a

/**
 * The lines of a stream of bytes, without their ends; empty ones are left out. A line of more bytes than allowed is
 * never held: it is told as `too_long` once, and skipped to its end.
 */
export async function* linesOf(
  input: AsyncIterable<Uint8Array>,
  mostBytes: number,
): AsyncGenerator<Uint8Array | 'too_long'> {
  const line = lineBuffer(mostBytes)
  for await (const chunk of input) {
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      yield* line.add(chunk.subarray(start, end))
      yield* line.end()
      start = end + 1
    }
    yield* line.add(chunk.subarray(start))
  }
  yield* line.end()
}

function lineBuffer(mostBytes: number) {
  let parts: Uint8Array[] = []
  let length = 0
  const clear = () => {
    parts = []
    length = 0
  }
  return {
    *add(part: Uint8Array) {
      const wasTooLong = length > mostBytes
      length += part.length
      if (length <= mostBytes) parts.push(part)
      else parts = []
      if (length > mostBytes && !wasTooLong) yield 'too_long' as const
    },
    *end() {
      const whole = length > mostBytes ? undefined : withoutReturn(Buffer.concat(parts))
      clear()
      if (whole !== undefined && whole.length > 0) yield whole
    },
  }
}

const RETURN = 0x0d
const withoutReturn = (line: Uint8Array): Uint8Array => (line.at(-1) === RETURN ? line.subarray(0, -1) : line)
