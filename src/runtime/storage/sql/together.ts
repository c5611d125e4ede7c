/** Rows that are written in one turn share a statement, and each caller is told of its own. */

interface Waiting<Item> {
  readonly item: Item
  readonly resolve: () => void
  readonly reject: (reason: unknown) => void
}

/** Writes what it takes, and gives of those that it refused the id and why. */
type WriteTaken<Item> = (take: () => readonly Item[]) => Promise<ReadonlyMap<string, Error>>

/**
 * Makes of a verb that writes many rows one that writes one: what arrives until it is this writer's turn goes with it. Each id is written
 * once; a second one that waits is refused at once.
 */
export function together<Item>(
  idOf: (item: Item) => string,
  write: WriteTaken<Item>,
  duplicate: (id: string) => Error,
): (item: Item) => Promise<void> {
  let waiting = new Map<string, Waiting<Item>>()

  const writeAll = async (): Promise<void> => {
    let taken: ReadonlyMap<string, Waiting<Item>> = new Map()
    const take = (): readonly Item[] => {
      taken = waiting
      waiting = new Map()
      return [...taken.values()].map(({ item }) => item)
    }
    try {
      const refused = await write(take)
      for (const [id, { resolve, reject }] of taken) {
        const why = refused.get(id)
        if (why === undefined) resolve()
        else reject(why)
      }
    } catch (error) {
      if (taken.size === 0) take()
      for (const { reject } of taken.values()) reject(error)
    }
  }

  return (item) =>
    new Promise((resolve, reject) => {
      const id = idOf(item)
      if (waiting.has(id)) return reject(duplicate(id))
      waiting.set(id, { item, resolve, reject })
      if (waiting.size === 1) void writeAll()
    })
}
