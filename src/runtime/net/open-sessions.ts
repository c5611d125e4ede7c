/** Sessions with servers behind that this process holds: they are told when it ends. */
const held = new Set<() => Promise<void>>()

/** Holds a session until it is let go; `end` bounds its own time. Gives the way to let go. */
export function holdSession(end: () => Promise<void>): () => void {
  held.add(end)
  return () => void held.delete(end)
}

/** Ends every session that is still held. */
export async function endSessions(): Promise<void> {
  await Promise.allSettled([...held].map((end) => end()))
  held.clear()
}
