/** Keys of `svc dev`; only at a terminal. */
export interface HotKeys {
  readonly [key: string]: () => void | Promise<void>
}

const INTERRUPT = '\u0003'

/** True where keys are read one by one. */
export const readsHotKeys = (input: NodeJS.ReadStream = process.stdin): boolean => input.isTTY === true

/** Reads keys; a key without a meaning does nothing, and what goes wrong is printed. Gives how to end. */
export function listenToKeys(keys: HotKeys, quit: () => void, say: (line: string) => void): () => void {
  const { stdin } = process
  const press = async (key: string): Promise<void> => {
    if (key === INTERRUPT) return quit()
    if (Object.hasOwn(keys, key)) await keys[key]!()
  }
  const read = (chunk: Buffer): void => {
    for (const key of chunk.toString()) press(key).catch((error: unknown) => say(`svc: ${(error as Error).message}`))
  }
  stdin.setRawMode(true)
  stdin.on('data', read).resume()
  return () => {
    stdin.off('data', read).pause()
    stdin.setRawMode(false)
  }
}
