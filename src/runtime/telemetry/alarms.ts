import type { Alarm } from '../../protocol/alarms.js'

export type { Alarm }

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
