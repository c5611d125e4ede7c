import type { AuditDraft, EntryType } from '../../protocol/audit.js'

/** Watchers in this process for the outcome of approval requests. */
export interface DecisionWatch {
  /** Resolves when something is decided about the request in this process, or after so many ms. */
  next(approvalRequestId: string, ms: number): Promise<void>
  /** An entry is on the trail: wakes whoever waits for what it records. */
  recorded(draft: Pick<AuditDraft, 'entry_type' | 'approval_request_id'>): void
}

const DECISIONS: ReadonlySet<EntryType> = new Set([
  'approval_granted',
  'approval_denied',
  'approval_returned',
  'approval_withdrawn',
])

export function decisionWatch(): DecisionWatch {
  const waiting = new Map<string, Set<() => void>>()
  return {
    next: (id, ms) =>
      new Promise((resolve) => {
        const those = waiting.get(id) ?? new Set()
        const wake = (): void => {
          clearTimeout(timer)
          those.delete(wake)
          if (those.size === 0 && waiting.get(id) === those) waiting.delete(id)
          resolve()
        }
        const timer = setTimeout(wake, ms)
        waiting.set(id, those.add(wake))
      }),
    recorded: ({ entry_type, approval_request_id: id }) => {
      if (id === null || !DECISIONS.has(entry_type)) return
      for (const wake of waiting.get(id) ?? []) wake()
    },
  }
}
