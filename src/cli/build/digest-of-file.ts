import { createHash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'

/** One piece of memory for all files: fresh memory for each would take longer than reading and digesting them. */
const room = Buffer.allocUnsafeSlow(65_536)

/** SHA-256 of a file in hex; undefined when it cannot be read. */
export function digestOfFile(path: string): string | undefined {
  try {
    const file = openSync(path, 'r')
    try {
      return digestOf(file)
    } finally {
      closeSync(file)
    }
  } catch {
    return undefined
  }
}

function digestOf(file: number): string {
  const sum = createHash('sha256')
  for (let read = readSync(file, room); read > 0; read = readSync(file, room)) sum.update(room.subarray(0, read))
  return sum.digest('hex')
}
