import { createReadStream } from 'node:fs'
import { CliError } from '../shared/errors/cli-error.js'

const MEGABYTE = 2 ** 20
const MOST_MEGABYTES = 256

/** The bytes of a file, or of standard input; so many at most. */
export async function readArtefact(file: string): Promise<Uint8Array> {
  try {
    return await bounded(file === '-' ? process.stdin : createReadStream(file), file)
  } catch (error) {
    if (error instanceof CliError) throw error
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new CliError(code === 'ENOENT' ? `There is no file ${file}.` : `${file} cannot be read (${code}).`)
  }
}

async function bounded(input: AsyncIterable<Uint8Array>, file: string): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of input) {
    length += chunk.length
    if (length > MOST_MEGABYTES * MEGABYTE)
      throw new CliError(
        `${file} has more than ${MOST_MEGABYTES} MiB. An audit export of any size is verified by: svc audit verify`,
      )
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
