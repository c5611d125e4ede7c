/** Reads by key that are asked for in one turn of the event loop share one statement. */

const MOST_KEYS = 64

interface Asked<Value> {
  readonly resolve: (value: Value | undefined) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Makes of a read of many keys a read of one: what is asked before the turn ends is read at its end, each key once. A
 * read never begins before it was asked for, so whatever was durable by then is seen.
 */
export function gathered<Value>(
  readMany: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): (key: string) => Promise<Value | undefined> {
  let waiting = new Map<string, Asked<Value>[]>()

  const readAll = (): void => {
    const asked = [...waiting]
    waiting = new Map()
    for (let from = 0; from < asked.length; from += MOST_KEYS) void answer(asked.slice(from, from + MOST_KEYS))
  }

  const answer = async (asked: readonly (readonly [string, readonly Asked<Value>[]])[]): Promise<void> => {
    try {
      const found = await readMany(asked.map(([key]) => key))
      for (const [key, waiters] of asked) for (const { resolve } of waiters) resolve(found.get(key))
    } catch (error) {
      // What is wrong with one row is no other caller's trouble.
      if (asked.length > 1) for (const each of asked) void answer([each])
      else for (const [, waiters] of asked) for (const { reject } of waiters) reject(error)
    }
  }

  return (key) =>
    new Promise((resolve, reject) => {
      if (waiting.size === 0) setImmediate(readAll)
      const waiters = waiting.get(key)
      if (waiters === undefined) waiting.set(key, [{ resolve, reject }])
      else waiters.push({ resolve, reject })
    })
}
