/**
 * Standard error as a log writes to it: it never delays and never ends the service (decisions, section 20). What finds no
 * room is dropped and counted, and the next line that is written says how much it was.
 */
import { fstatSync, writeSync } from 'node:fs'
import type { Writable } from 'node:stream'

/** Target that takes a line at once or not at all. */
export interface LineTarget {
  /** Returns whether a line was taken. */
  readonly take: (line: string) => boolean
}

export interface BoundedLog {
  readonly write: (line: string) => void
  /** Returns the number of dropped lines so far. */
  readonly dropped: () => number
}

/** Bytes that wait for the reader of a pipe. */
const MOST_WAITING = 1024 * 1024
const STANDARD_ERROR = 2
const LOST = 'Log lines were dropped: they could not be written.'

/** Counts what a target does not take. */
export function boundedLog({ take }: LineTarget, now: () => number = Date.now): BoundedLog {
  let [dropped, reported] = [0, 0]
  const lossLine = (): string => {
    const line = { level: 40, time: new Date(now()).toISOString(), dropped: dropped - reported, msg: LOST }
    return `${JSON.stringify(line)}\n`
  }
  return {
    write: (line) => {
      if (dropped > reported && take(lossLine())) reported = dropped
      if (!take(line)) dropped += 1
    },
    dropped: () => dropped,
  }
}

/** A pipe or a socket takes what has room before its reader; a file says at once what it cannot take. */
export const standardError = (): LineTarget =>
  isPiped() ? streamTarget(process.stderr) : descriptorTarget(STANDARD_ERROR)

function isPiped(): boolean {
  const found = fstatSync(STANDARD_ERROR)
  return found.isFIFO() || found.isSocket()
}

export function streamTarget(stream: Writable): LineTarget {
  // A reader that has gone is an error of each write; without a listener it would end the process.
  let isGone = false
  stream.on('error', () => void (isGone = true))
  return {
    take: (line) => {
      const hasRoom = !isGone && !stream.destroyed && stream.writableLength <= MOST_WAITING
      if (hasRoom) stream.write(line)
      return hasRoom
    },
  }
}

export function descriptorTarget(descriptor: number): LineTarget {
  return {
    take: (line) => {
      try {
        writeSync(descriptor, line)
        return true
      } catch {
        return false
      }
    },
  }
}
