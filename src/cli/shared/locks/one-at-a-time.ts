import { lstatSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { CliError } from '../errors/cli-error.js'
import { printError } from '../output/print.js'

const PAUSE_MS = 50
/** Most waits are over before anybody wonders. */
const SILENCE_MS = 1_000
/** The process that has a lock writes its name into it at once; one that did not was killed in between. */
const NAMELESS_MS = 2_000
/** Heartbeat interval of a lock holder. */
const BEAT_MS = 5_000
/**
 * Age at which a lock without heartbeats counts as abandoned. Process ids do not help: they may belong to another
 * machine or be reused.
 */
const LEFT_BEHIND_MS = 60_000
/** Longer: what was left behind, wherever, is waited for, and never complained about. */
const PATIENCE_MS = 90_000

/** The locks of this process. */
const held = new Set<string>()

/**
 * Does work while no other process does work under the same lock, a file. `busy` says to a person what has been waited
 * for in vain. Where no lock can be made the work is done all the same: it will say so, if it has to write.
 */
export async function oneAtATime<T>(lock: string, busy: string, work: () => Promise<T>): Promise<T> {
  const mine = `${process.pid} ${hostname()} ${process.hrtime.bigint()}`
  held.add(mine)
  try {
    return (await take(lock, mine, busy)) ? await working(lock, mine, work) : await work()
  } finally {
    held.delete(mine)
  }
}

async function working<T>(lock: string, mine: string, work: () => Promise<T>): Promise<T> {
  const beat = setInterval(() => showLife(lock, mine), BEAT_MS).unref()
  try {
    return await work()
  } finally {
    clearInterval(beat)
    if (textOf(lock) === mine) rmSync(lock, { force: true })
  }
}

function showLife(lock: string, mine: string): void {
  const now = new Date()
  if (textOf(lock) === mine) utimesSync(lock, now, now)
}

async function take(lock: string, mine: string, busy: string): Promise<boolean> {
  for (let waited = 0; waited < PATIENCE_MS; waited += PAUSE_MS) {
    const code = made(lock, mine)
    if (code !== 'EEXIST') return code === undefined
    if (takesOver(lock, mine)) return true
    if (waited === SILENCE_MS) printError(`${busy} This one waits for it.\n`)
    await sleep(PAUSE_MS)
  }
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
 * Puts a lock in the place of one that was left behind. Others may be about to do the same: who makes the second file
 * looks again, and only then is sure that what it replaces is still what it saw.
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
  const text = textOf(lock)
  const [pid, host] = text.split(' ')
  if (pid === '' || host === undefined) return age > NAMELESS_MS
  return age > LEFT_BEHIND_MS || (host === hostname() && !isAlive(Number(pid), text))
}

const MOST_BYTES = 1_000

function textOf(lock: string): string {
  try {
    return lstatSync(lock).size > MOST_BYTES ? '' : readFileSync(lock, 'utf8')
  } catch {
    return ''
  }
}

/** In a container each process may have the number of the one before. */
function isAlive(pid: number, text: string): boolean {
  if (pid === process.pid) return held.has(text)
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}
