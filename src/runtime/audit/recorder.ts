/** The only writer of the audit trail. */
import type { Seal, SealedEntry, Settlement, Storage } from '../storage/contract.js'
import { sealEntry } from './seal.js'

export interface RecorderOptions {
  readonly storage: Storage
  readonly seal?: Seal
  /** Told of each commit: how many entries, and how long it took in ms. */
  readonly onCommit?: ((entries: number, ms: number) => void) | undefined
}

export interface Recorder {
  /**
   * Adds an entry to the trail, with everything that must become true together with it. Resolves when both are durable;
   * to undefined when the invocation already has an entry (another process found its intent orphaned), and then nothing
   * of the settlement was applied. Rejects with `StorageUnavailable`; the entry may then have been stored or not.
   */
  record(settlement: Settlement): Promise<SealedEntry | undefined>
  /** Resolves when everything given so far is durable or has failed. */
  idle(): Promise<void>
}

interface Waiting {
  readonly settlement: Settlement
  readonly resolve: (sealed: SealedEntry | undefined) => void
  readonly reject: (reason: unknown) => void
}

/** Group commit: all settlements that arrive while one commit is under way share the next. */
export function startRecorder({ storage, seal = sealEntry, onCommit }: RecorderOptions): Recorder {
  let waiting: Waiting[] = []
  let asked = false
  const underWay = new Set<Promise<void>>()

  const commit = async (): Promise<void> => {
    let taken: readonly Waiting[] | undefined
    const take = (): readonly Waiting[] => {
      taken = waiting
      waiting = []
      asked = false
      return taken
    }
    const began = onCommit === undefined ? 0 : performance.now()
    try {
      const sealed = await storage.audit.append(() => take().map(({ settlement }) => settlement), seal)
      onCommit?.(sealed.length, performance.now() - began)
      taken?.forEach(({ resolve }, index) => resolve(sealed[index]))
    } catch (error) {
      for (const { reject } of taken ?? take()) reject(error)
    }
  }

  const ask = (): void => {
    asked = true
    const committing = commit().finally(() => underWay.delete(committing))
    underWay.add(committing)
  }

  return {
    record: (settlement) =>
      new Promise((resolve, reject) => {
        waiting.push({ settlement, resolve, reject })
        if (!asked) ask()
      }),
    idle: async () => {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
