import { lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout } from 'node:timers/promises'
import { CliError } from './cli-error.js'

const PAUSE_MS = 50
/** Nothing that is done under a lock takes nearly as long. */
const PATIENCE_MS = 60_000
/** The process that has a lock writes its name into it at once; one that did not was killed in between. */
const NAMELESS_MS = 2_000
/** Of a process on another machine it cannot be seen whether it lives. */
const LEFT_BEHIND_MS = 10 * 60_000

/**
 * Does work while no other process does work under the same lock, a file. `busy` says to a person what has been waited for in
 * vain. Where no lock can be made the work is done all the same: it will say so, if it has to write.
 */
export async function oneAtATime<T>(lock: string, busy: string, work: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${hostname()} ${process.hrtime.bigint()}`
  const isTaken = await take(lock, mine, busy)
  try {
    return await work()
  } finally {
    if (isTaken && textOf(lock) === mine) rmSync(lock, { force: true })
  }
}

async function take(lock: string, mine: string, busy: string): Promise<boolean> {
  const until = performance.now() + PATIENCE_MS
  do {
    const code = made(lock, mine)
    if (code !== 'EEXIST') return code === undefined
    if (takesOver(lock, mine)) return true
    await setTimeout(PAUSE_MS)
  } while (performance.now() < until)
  throw new CliError(`${busy} Wait for it, and try again; if there is none, delete ${lock}.`)
}

/** Undefined when it was made, else why it was not. */
function made(lock: string, mine: string): unknown {
  try {
    writeFileSync(lock, mine, { flag: 'wx', mode: 0o600 })
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

/**
 * Puts a lock in the place of one that was left behind. Others may be about to do the same: who makes the second file looks
 * again, and only then is sure that what it replaces is still what it saw.
 */
function takesOver(lock: string, mine: string): boolean {
  if (!isLeftBehind(lock)) return false
  const next = `${lock}.next`
  if (made(next, mine) !== undefined) {
    if (isLeftBehind(next)) rmSync(next, { force: true })
    return false
  }
  if (!isLeftBehind(lock)) {
    rmSync(next, { force: true })
    return false
  }
  renameSync(next, lock)
  return true
}

function isLeftBehind(lock: string): boolean {
  const stats = lstatSync(lock, { throwIfNoEntry: false })
  if (stats === undefined) return false
  if (!stats.isFile()) throw new CliError(`${lock} is not a file. Remove it, and try again.`)
  const age = Math.abs(Date.now() - stats.mtimeMs)
  const [pid, host] = textOf(lock).split(' ')
  if (pid === '' || host === undefined) return age > NAMELESS_MS
  return age > LEFT_BEHIND_MS || (host === hostname() && !isAlive(Number(pid)))
}

const MOST_BYTES = 1_000

function textOf(lock: string): string {
  try {
    return lstatSync(lock).size > MOST_BYTES ? '' : readFileSync(lock, 'utf8')
  } catch {
    return ''
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
