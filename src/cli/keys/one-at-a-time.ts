import { open, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { CliError } from '../cli-error.js'

const PAUSE_MS = 100
const MOST_PAUSES = 100
/** A command takes less than a second; what stands for so long was left by one that was killed. */
const LEFT_BEHIND_MS = 60_000

/**
 * Does work on a key directory while no other command does: what one has read, another may not change before it is written, or a
 * private part that was removed would be written again.
 */
export async function oneAtATime<T>(directory: string, work: () => Promise<T>): Promise<T> {
  const lock = join(directory, '.changing')
  const isTaken = await take(lock, directory)
  try {
    return await work()
  } finally {
    if (isTaken) await rm(lock, { force: true })
  }
}

/** False where nothing can be written: the work will say so, if it has to write. */
async function take(lock: string, directory: string): Promise<boolean> {
  for (let pauses = 0; pauses < MOST_PAUSES; pauses++) {
    const code = await made(lock)
    if (code !== 'EEXIST') return code === undefined
    if (await isLeftBehind(lock)) await rm(lock, { force: true })
    else await setTimeout(PAUSE_MS)
  }
  throw new CliError(`Another command is changing the keys in ${directory}. Wait for it, and run this one again.`)
}

/** Undefined when it was made, else why it was not. */
async function made(lock: string): Promise<unknown> {
  try {
    await (await open(lock, 'wx', 0o600)).close()
    return undefined
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

async function isLeftBehind(lock: string): Promise<boolean> {
  const found = await stat(lock).catch(() => undefined)
  return found !== undefined && Math.abs(Date.now() - found.mtimeMs) > LEFT_BEHIND_MS
}
