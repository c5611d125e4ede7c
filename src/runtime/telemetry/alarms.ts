/** Alarms that degrade the health of a service until it is restarted. */
export type Alarm =
  | 'token_integrity'
  | 'grant_integrity'
  | 'counters_altered'
  | 'rows_altered'
  | 'audit_unavailable'
  | 'checkpoint_overdue'
  | 'checkpoint_failed'
  | 'log_discontinuity'
  | 'trail_altered'
  | 'clock_unconfirmed'
  | 'clock_differs'
  | 'rollback_detection_off'
  | 'database_new'
  | 'manifest_expired'
  | 'keys_unreadable'
  | 'api_keys_unreadable'
  | 'api_key_unknown'
  | 'events_undelivered'
  | 'provider_subjects_pairwise'
  | 'upstream_unconfined'
  | 'bodies_refused'
  | 'log_lines_dropped'
  | 'database_log_held'

export interface Alarms {
  add(alarm: Alarm): void
  clear(alarm: Alarm): void
  has(alarm: Alarm): boolean
  all(): readonly Alarm[]
  /** Returns the alarms raised since the last report. */
  unreported(): readonly Alarm[]
  reported(alarms: readonly Alarm[]): void
}

export function alarms(): Alarms {
  const raised = new Set<Alarm>()
  const unreported = new Set<Alarm>()
  return {
    add: (alarm) => {
      if (!raised.has(alarm)) unreported.add(alarm)
      raised.add(alarm)
    },
    clear: (alarm) => void raised.delete(alarm),
    has: (alarm) => raised.has(alarm),
    all: () => [...raised],
    unreported: () => [...unreported],
    reported: (alarms) => alarms.forEach((alarm) => unreported.delete(alarm)),
  }
}
