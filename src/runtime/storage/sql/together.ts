/** Rows that are written in one turn share a statement, and each caller is told of its own. */

interface Waiting<Item, Value> {
  readonly item: Item
  readonly resolve: (value: Value | undefined) => void
  readonly reject: (reason: unknown) => void
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
 * once; a second one that waits is refused at once.
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
      for (const [id, { resolve, reject }] of taken) {
        const became = said.get(id)
        if (became instanceof Error) reject(became)
        else resolve(became)
      }
    } catch (error) {
      if (taken.size === 0) take()
      for (const { reject } of taken.values()) reject(error)
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
      if (waiting.has(id)) return reject(duplicate(id))
      waiting.set(id, { item, resolve, reject })
      if (isAlone ? writing === 0 : waiting.size === 1) void begin()
    })
}
