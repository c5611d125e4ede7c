import { Transform } from 'node:stream'

/** A header is two lines of some 30 characters. */
const LONGEST_HEADER = 4096
/** No manifest is nearly as long: the reader would keep all of it in memory. */
const LONGEST_MESSAGE = 64 * 1024 * 1024

/**
 * Lets messages through whose header the reader of the library understands, and drops what stands between them: it
 * would wait for the end of anything else. `onFault` takes what is wrong.
 */
export function wholeFrames(onFault: (message: string) => void): Transform {
  let head: Buffer = Buffer.alloc(0)
  let body = 0
  let isDropped = false
  function* framesOf(chunk: Buffer): Generator<Buffer> {
    let rest = chunk
    while (rest.length > 0) {
      if (body > 0) {
        const part = rest.subarray(0, body)
        rest = rest.subarray(part.length)
        body -= part.length
        if (!isDropped) yield part
        continue
      }
      head = head.length === 0 ? rest : Buffer.concat([head, rest])
      const end = head.indexOf('\r\n\r\n')
      if (end === -1) return dropEndless()
      const length = lengthIn(head.toString('latin1', 0, end))
      rest = head.subarray(end + 4)
      head = Buffer.alloc(0)
      isDropped = length > LONGEST_MESSAGE
      body = Number.isNaN(length) ? 0 : length
      if (Number.isNaN(length)) onFault('The header of a message has no Content-Length.')
      else if (isDropped) onFault(`A message has ${length} bytes; at most ${LONGEST_MESSAGE} are read.`)
      else yield Buffer.from(`Content-Length: ${length}\r\n\r\n`)
    }
  }
  function dropEndless(): void {
    if (head.length <= LONGEST_HEADER) return
    onFault(`The header of a message is longer than ${LONGEST_HEADER} bytes.`)
    head = Buffer.alloc(0)
  }
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      for (const part of framesOf(chunk)) this.push(part)
      done()
    },
  })
}

/** The last one of the block: what stands before it is the rest of a broken message. */
const lengthIn = (header: string): number =>
  Number(
    header
      .match(/content-length: *\d{1,15}(?=\r\n|$)/giu)
      ?.at(-1)
      ?.replace(/\D/gu, '') ?? Number.NaN,
  )
