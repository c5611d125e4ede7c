import type { Capability, Manifest } from '../../protocol/manifest.js'
import type { Log } from '../definition.js'
import type { RuntimeLimits } from '../limits.js'
import type { Storage } from '../storage/contract.js'
import type { Alarms } from '../telemetry/alarms.js'
import type { NotifyTarget } from './targets/target.js'

/** The part of a service that makes events. */
export interface Reporter {
  readonly id: string
  readonly notify: readonly NotifyTarget[]
  readonly capabilities: ReadonlyMap<string, Capability>
  /** Pages for people, where a surface serves some: it says so when it opens. */
  readonly pages: { approval?: (approvalRequestId: string) => string }
  /** ms since the epoch. */
  readonly now: () => number
}

/** The part of a service that finds what is due, and delivers it. */
export interface Deliverer extends Reporter {
  readonly manifest: Manifest
  /** This process, for the leases that it owns. */
  readonly owner: string
  readonly storage: Pick<Storage, 'outbox' | 'leases'>
  readonly limits: Pick<RuntimeLimits, 'leaseMs'>
  readonly alarms: Alarms
  readonly log: Log
}
