/** A client over stdio keeps its connection while its token is replaced in place: it is told when its tools changed. */
import { unwatchFile, watchFile } from 'node:fs'

export interface ListChanges {
  /** The tools that the client was shown last, by their names; none where it was refused. */
  shown(names: readonly string[]): void
  stop(): void
}

const LOOK_EVERY_MS = 1000

/** Without a file the token stays the same, and so do the tools: permissions are those of the token. */
export function listChanges(
  file: string | undefined,
  listed: () => Promise<readonly string[]>,
  announce: () => Promise<void>,
): ListChanges {
  let last: string | undefined
  const shown = (names: readonly string[]): void => void (last = textOf(names))
  if (file === undefined) return { shown, stop: () => undefined }
  const look = async (): Promise<void> => {
    const before = last
    // Who has never asked for a list has none that could be wrong.
    if (before === undefined) return
    const now = textOf(await listed())
    if (now === before || last !== before) return
    last = now
    await announce()
  }
  const onChange = (): void => void look().catch(() => undefined)
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, onChange)
  return { shown, stop: () => unwatchFile(file, onChange) }
}

const textOf = (names: readonly string[]): string => JSON.stringify(names.toSorted())
