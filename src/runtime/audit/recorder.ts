/** The only writer of the audit trail. */
import type { Seal, SealedEntry, Settlement, Storage } from '../storage/contract.js'
import { sealEntry } from '../storage/seal.js'

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
   * of the settlement was applied. Rejects with `StorageUnavailable`; the entry may then have been stored or not. Rejects
   * with `TypeError` what has no canonical form, and nothing that shared its commit.
   */
  record(settlement: Settlement): Promise<SealedEntry | undefined>
  /** Resolves when everything given so far is durable or has failed. */
  idle(): Promise<void>
}

/** Holds for what has no canonical form (RFC 8785): no store was asked to keep it, and none ever can. */
export const isUnwritable = (error: unknown): boolean => error instanceof TypeError

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
    let sealed: readonly (SealedEntry | undefined)[]
    try {
      sealed = await storage.audit.append(() => take().map(({ settlement }) => settlement), seal)
    } catch (error) {
      taken ??= take()
      if (taken.length > 1 && isUnwritable(error)) return commitSingly(taken)
      for (const { reject } of taken) reject(error)
      return
    }
    onCommit?.(sealed.length, performance.now() - began)
    taken?.forEach(({ resolve }, index) => resolve(sealed[index]))
  }

  /** After a commit that one of them made impossible. */
  const commitSingly = async (taken: readonly Waiting[]): Promise<void> => {
    for (const { settlement, resolve, reject } of taken)
      await storage.audit.append(() => [settlement], seal).then(([sealed]) => resolve(sealed), reject)
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
