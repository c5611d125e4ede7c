import { say } from './say.js'

const AFTER_MS = 1_000

/** Names work on a terminal while it takes longer than a second; elsewhere nobody watches. */
export async function inProgress<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  if (process.stderr.isTTY !== true) return work()
  const timer = setTimeout(() => say(`${what} …`), AFTER_MS)
  try {
    return await work()
  } finally {
    clearTimeout(timer)
  }
}
