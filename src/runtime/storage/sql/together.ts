/** Rows that are written in one turn share a statement, and each caller is told of its own. */

interface Waiting<Item, Value> {
  readonly item: Item
  readonly resolve: (value: Value | undefined) => void
  readonly reject: (reason: unknown) => void
  /** Those who came later with the same id: they are refused when it is known what became of this one, and can read it. */
  readonly later: ((reason: unknown) => void)[]
}

/** Writes what it takes, and gives by its id what is to be said of each: a value, or why it was refused. */
type WriteTaken<Item, Value> = (take: () => readonly Item[]) => Promise<ReadonlyMap<string, Error | Value>>

/** After a stall many wait; a statement for all of them would take as long as they waited. */
const MOST = 256

interface Turns {
  /** Holds where the next write begins when the one under way has ended: what they write, only one can hold. */
  readonly isAlone?: boolean
  /** Called whenever nothing waits and nothing is being written. */
  readonly onIdle?: () => void
}

/**
 * Makes of a verb that writes many rows one that writes one: what arrives until it is this writer's turn goes with it. Each id is written
 * once; a second one is refused, once the first is durable.
 */
export function together<Item, Value = never>(
  idOf: (item: Item) => string,
  write: WriteTaken<Item, Value>,
  duplicate: (id: string) => Error,
  { isAlone = false, onIdle = () => undefined }: Turns = {},
): (item: Item) => Promise<Value | undefined> {
  let waiting = new Map<string, Waiting<Item, Value>>()
  let writing = 0

  const writeAll = async (): Promise<void> => {
    let taken: ReadonlyMap<string, Waiting<Item, Value>> = new Map()
    const take = (): readonly Item[] => {
      const all = [...waiting]
      taken = new Map(all.slice(0, MOST))
      waiting = new Map(all.slice(MOST))
      if (waiting.size > 0 && !isAlone) void begin()
      return [...taken.values()].map(({ item }) => item)
    }
    try {
      const said = await write(take)
      for (const [id, { resolve, reject, later }] of taken) {
        const became = said.get(id)
        if (became instanceof Error) reject(became)
        else resolve(became)
        for (const refuse of later) refuse(became instanceof Error ? became : duplicate(id))
      }
    } catch (error) {
      if (taken.size === 0) take()
      for (const { reject, later } of taken.values()) for (const refuse of [reject, ...later]) refuse(error)
    }
  }

  const begin = async (): Promise<void> => {
    writing += 1
    await writeAll()
    writing -= 1
    if (isAlone && waiting.size > 0) void begin()
    else if (writing === 0 && waiting.size === 0) onIdle()
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const id = idOf(item)
      const first = waiting.get(id)
      if (first !== undefined) return void first.later.push(reject)
      waiting.set(id, { item, resolve, reject, later: [] })
      if (isAlone ? writing === 0 : waiting.size === 1) void begin()
    })
}
