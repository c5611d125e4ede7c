/** What degrades the health of a service until it is restarted. */
export type Alarm =
  | 'token_integrity'
  | 'grant_integrity'
  | 'counters_altered'
  | 'audit_unavailable'
  | 'checkpoint_overdue'
  | 'checkpoint_failed'
  | 'log_discontinuity'
  | 'trail_altered'
  | 'clock_unconfirmed'
  | 'rollback_detection_off'
  | 'manifest_expired'
  | 'keys_unreadable'
  | 'api_keys_unreadable'
  | 'api_key_unknown'

export interface Alarms {
  add(alarm: Alarm): void
  clear(alarm: Alarm): void
  all(): readonly Alarm[]
}

export function alarms(): Alarms {
  const raised = new Set<Alarm>()
  return {
    add: (alarm) => void raised.add(alarm),
    clear: (alarm) => void raised.delete(alarm),
    all: () => [...raised],
  }
}
