import { readFileSync } from 'node:fs'
import { InputError } from '../errors/cli-error.js'

/** Bytes that are no UTF-8 become U+FFFD, which the checker reports with its place. */
export function readFromDisk(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new InputError({
      code: 'SVC0002',
      slug: 'unreadable',
      file,
      message: `cannot read \`${file}\` (${reason}).`,
    })
  }
}
