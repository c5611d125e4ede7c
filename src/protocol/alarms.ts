/** Alarms of a service: what each means, and what ends it. */

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

export interface AlarmWords {
  readonly means: string
  /** Next step of the operator, with its command if there is one. */
  readonly ends: string
  readonly command?: string
}

const DOCTOR = 'svc doctor --production'
const VERIFY = {
  ends: 'Verify the audit trail, restore the database, then restart.',
  command: 'svc audit verify <export> --jwks <keys>',
}

export const ALARM_WORDS: { readonly [alarm in Alarm]: AlarmWords } = {
  token_integrity: { means: 'A stored token differs from the signed one. It is refused.', ...VERIFY },
  grant_integrity: { means: 'A stored approval grant differs from the signed one. It is refused.', ...VERIFY },
  counters_altered: { means: 'Spending or uses in the database differ from the audit trail.', ...VERIFY },
  rows_altered: { means: 'A row of the database was not written by this service.', ...VERIFY },
  trail_altered: { means: 'Audit entries in the database are not what was recorded.', ...VERIFY },
  audit_unavailable: { means: 'Audit entries wait for the database. Calls with effects are refused.', ends: 'Ends once the database accepts writes.', command: DOCTOR },
  checkpoint_overdue: { means: 'No checkpoint was signed in time.', ends: 'Ends with the next checkpoint. Check the signer.', command: DOCTOR },
  checkpoint_failed: { means: 'A checkpoint could not be signed or stored.', ends: 'Ends with the next checkpoint. Check the signer.', command: DOCTOR },
  log_discontinuity: { means: 'The key has signed a newer checkpoint than the database has.', ends: 'After a restored backup, record the reason.', command: 'svc audit resume --reason <text>' },
  clock_unconfirmed: { means: 'The clock of the database is far ahead. Nothing is erased.', ends: 'If the clock is right, confirm it.', command: 'svc migrate clock --confirm' },
  clock_differs: { means: 'The clocks of the service and the database differ.', ends: 'Synchronize both clocks.', command: DOCTOR },
  rollback_detection_off: { means: 'The service does not remember its checkpoints outside the database.', ends: 'Set a folder for checkpoint state, then restart.', command: DOCTOR },
  database_new: { means: 'The database is new, and the key has signed checkpoints of another one.', ends: 'Restore the database, or record the reason.', command: 'svc audit resume --reason <text>' },
  manifest_expired: { means: 'The signed manifest has expired.', ends: 'Sign it again, then restart.', command: 'svc sign' },
  keys_unreadable: { means: 'The folder of signing keys cannot be read. The last known keys are used.', ends: 'Ends once the keys can be read.', command: 'svc keys list' },
  api_keys_unreadable: { means: 'The API key file cannot be read. The last known keys are used.', ends: 'Ends once the file can be read.', command: 'svc apikeys list' },
  api_key_unknown: { means: 'Tokens are valid that were issued with an API key that is no longer in the file.', ends: 'Put the key back, or revoke its tokens.', command: 'svc operate end --api-key <id> --reason <text>' },
  events_undelivered: { means: 'Events were not delivered and are no longer retried.', ends: 'List them, then resend each.', command: 'svc events list --state dead' },
  provider_subjects_pairwise: { means: 'An identity provider names one person differently for each client.', ends: 'Set public subjects at the provider, then restart.', command: DOCTOR },
  upstream_unconfined: { means: 'An upstream MCP server runs without confinement.', ends: 'Import it again with confinement.', command: 'svc import mcp -- <command>' },
  bodies_refused: { means: 'Request bodies were refused because too many arrived at once.', ends: 'Ends with a restart. Check the clients.', command: DOCTOR },
  log_lines_dropped: { means: 'Log lines were dropped because nothing reads the log fast enough.', ends: 'Fix the reader of the log, then restart.' },
  database_log_held: { means: 'A process holds the write-ahead log of the database.', ends: 'End the process that reads the database.', command: DOCTOR },
} // prettier-ignore

/** Words for an alarm; of a newer service, its name. */
export const alarmWords = (alarm: string): AlarmWords =>
  Object.hasOwn(ALARM_WORDS, alarm)
    ? ALARM_WORDS[alarm as Alarm]
    : { means: `The service raises ${alarm}.`, ends: 'See its log.', command: DOCTOR }
