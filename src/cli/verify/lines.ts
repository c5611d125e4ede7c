import { CliError } from '../shared/errors/cli-error.js'

const LINE_FEED = 0x0a
/** Bytes. An entry has a hundredth of this. */
const MOST_OF_A_LINE = 64 * 1024 * 1024

export interface LineSplitter {
  push(chunk: Uint8Array): void
  /** Hands on what is left. Holds when the last byte was a line feed. */
  end(): boolean
}

/**
 * Hands on each line without its line feed. Only a line feed ends a line, because an export is sealed over its bytes.
 * Throws a `CliError` where a line does not end: the file is no export then, and memory has an end.
 */
export function lineSplitter(take: (line: Uint8Array) => void): LineSplitter {
  /** The pieces of a line that has no end yet: they are joined once, however long it is. */
  let rest: Uint8Array[] = []
  let held = 0
  let pushed = false
  return {
    push: (chunk) => {
      pushed ||= chunk.length > 0
      let start = 0
      for (let end = chunk.indexOf(LINE_FEED); end >= 0; end = chunk.indexOf(LINE_FEED, start)) {
        take(joined([...rest, chunk.subarray(start, end)]))
        rest = []
        held = 0
        start = end + 1
      }
      held += chunk.length - start
      if (held > MOST_OF_A_LINE)
        throw new CliError(`A line has more than ${MOST_OF_A_LINE / 2 ** 20} MiB: this is no audit export.`)
      if (start < chunk.length) rest.push(chunk.subarray(start))
    },
    end: () => {
      if (rest.length > 0) take(joined(rest))
      return pushed && rest.length === 0
    },
  }
}

const joined = (pieces: readonly Uint8Array[]): Uint8Array => (pieces.length === 1 ? pieces[0]! : Buffer.concat(pieces))
