/**
 * The bytes of a stream, counted as they come: what was compressed on the way may be a thousand times as long.
 * Undefined if there are more than `most`; the rest is then not read. Rejects as the stream does.
 */
export async function readAtMost(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  most: number,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let length = 0
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    length += part.value.length
    if (length > most) {
      void reader.cancel().catch(() => undefined)
      return undefined
    }
    parts.push(part.value)
  }
  return Buffer.concat(parts)
}

/** The same of an answer; one without a body is empty. */
export async function bodyAtMost({ body }: Response, most: number): Promise<Uint8Array | undefined> {
  return body === null ? new Uint8Array() : readAtMost(body.getReader(), most)
}
