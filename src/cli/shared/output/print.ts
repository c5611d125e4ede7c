import { fstatSync, statSync, writeSync } from 'node:fs'
import { mindOutput } from './output-errors.js'
import { printableLines } from './printable.js'

/**
 * The only place that writes to the standard streams: what a value brings along steers no terminal (threat N27). A text
 * of others that may hold line ends passes through `printable` before.
 */
export const print = (text: string): void => printPainted(printableLines(text))

/** The same by Node's own stream. */
export const printOut = (text: string): void => void process.stdout.write(printableLines(text))

export const printError = (text: string): void => void process.stderr.write(printableLines(text))

/**
 * Writes findings with their colors to standard output; their writers escape each value. Node's own stream takes longer
 * to load than a small manifest takes to check, so it serves terminals only, and readers that cannot take everything at
 * once.
 */
export function printPainted(text: string): void {
  const rest = isTerminal() ? Buffer.from(text) : written(Buffer.from(text))
  if (rest.length === 0) return
  mindOutput()
  process.stdout.write(rest)
}

let terminal: boolean | undefined

/** Checks whether standard output is a terminal. */
export function isTerminal(): boolean {
  terminal ??= isDevice() && process.stdout.isTTY === true
  return terminal
}

/** Returns the bytes still to write to a full pipe; none if the reader has closed it. */
function written(bytes: Buffer): Buffer {
  let from = 0
  try {
    while (from < bytes.length) from += writeSync(1, bytes, from)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code === 'EPIPE') return Buffer.alloc(0)
    if (code !== 'EAGAIN') throw error
  }
  return bytes.subarray(from)
}

/** Every terminal is a character device; so is the place where unwanted output goes. */
function isDevice(): boolean {
  const output = fstatSync(1)
  if (!output.isCharacterDevice()) return false
  return statSync('/dev/null', { throwIfNoEntry: false })?.rdev !== output.rdev
}
