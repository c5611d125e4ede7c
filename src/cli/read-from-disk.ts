import { readFileSync } from 'node:fs'
import { CliError } from './cli-error.js'

/** Bytes that are no UTF-8 become U+FFFD, which the checker reports with its place. */
export function readFromDisk(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'unknown error'
    throw new CliError(`SVC0002 unreadable: cannot read \`${file}\` (${reason}).`)
  }
}
