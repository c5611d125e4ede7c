import type { KeyRing } from '../crypto/keys/key-ring.js'
import type { Capability, Manifest } from '../protocol/manifest.js'
import type { Alarms } from './telemetry/alarms.js'
import type { DecisionWatch } from './audit/decision-watch.js'
import type { Recorder } from './audit/recorder.js'
import type { RefusalTally } from './audit/refusal-tally.js'
import type { KnownAccounts } from './credentials/known-accounts.js'
import type { ApiKeyHolder, ApiKeys } from './credentials/api-keys.js'
import type { Bootstrap, IdentityProvider } from './credentials/known.js'
import type { OidcOptions } from './credentials/oidc/options.js'
import type { TokenCache } from './credentials/token-cache.js'
import type { CheckpointMemory } from './checkpoints/make.js'
import type { Authenticate, Implementation, Log, ServiceDefinition } from './definition.js'
import type { Documents, PublishedManifest } from './keys/published-documents.js'
import type { ConnectionMemory } from './credentials/connection-memory.js'
import type { Ids } from './storage/ids.js'
import type { RuntimeLimits } from './limits.js'
import type { BodiesInFlight } from './request/bodies-in-flight.js'
import type { ReadsInTurn } from './request/reads-in-turn.js'
import type { NotifyTarget } from './events/targets/target.js'
import type { ServiceMetrics } from './telemetry/service-metrics.js'
import type { Tracing } from './telemetry/tracing.js'
import type { LocalRates } from './rates/local-rates.js'
import type { Rates } from './rates/rates.js'
import type { RefusalCounter } from './errors/refusal-counter.js'
import type { Settlement, Storage } from './storage/contract.js'

export interface ServiceOptions {
  /** Facts of generated code: the manifest and its validators. */
  readonly definition: ServiceDefinition
  /** Handlers, and hooks where the manifest names them. */
  readonly implementation: Implementation
  readonly storage: Storage
  /** Needs an active signing key for each role: `manifest`, `tokens`, `audit`. */
  readonly keys: KeyRing
  readonly apiKeys?: ApiKeys
  /**
   * True in a process that `svc dev` started, for API keys that are marked `development`: unknown otherwise, and
   * wherever others reach the service.
   */
  readonly development?: boolean | undefined
  /** Asked for credentials that are no known API key; may be asynchronous. */
  readonly authenticate?: Authenticate
  /** Identity providers whose tokens prove who calls. */
  readonly oidc?: readonly OidcOptions[]
  /** ms since the epoch; the system's clock by default. */
  readonly clock?: () => number
  /** ms, from any start, by a clock that nobody sets; that of the process by default. */
  readonly uptime?: () => number
  /** JSON lines on standard error by default. */
  readonly log?: Log
  readonly limits?: Partial<RuntimeLimits>
  /** Served as it was signed, where the manifest's key is elsewhere: `readPublishedManifest` of `svc-kit/runtime/node`. */
  readonly publishedManifest?: PublishedManifest | undefined
  /**
   * Host names (with port, where there is one) that requests may be for, beside that of `publicUrl`; any, when
   * absent. Guards against DNS rebinding. Health may be asked for by any.
   */
  readonly hosts?: readonly string[]
  /** Origins whose pages may read answers, as `https://app.example`; none, when absent. */
  readonly origins?: readonly string[]
  readonly ids?: Ids
  /**
   * Memory of the last checkpoint, kept outside of the storage (beside the keys by default), so that a restored
   * backup is noticed.
   */
  readonly checkpointMemory?: CheckpointMemory
  /** Targets of events: `webhook`, `slack` and `email` of `svc-kit/notify`. */
  readonly notify?: readonly NotifyTarget[] | undefined
  /** True to serve `GET /-/metrics` to credentials of the role `metrics`; the default. */
  readonly metrics?: boolean
  /** Spans for each call: `tracing()` of `svc-kit/opentelemetry`; none unless given. */
  readonly tracing?: Tracing
  /**
   * A folder that this process may write, for that memory; the directory of the keys by default, which may be
   * read-only.
   */
  readonly stateDir?: string | undefined
  /** Asked now and then for the keys as they are; a rotation takes effect without a restart. */
  readonly reloadKeys?: () => Promise<KeyRing>
}

/** Options of a service beside what is generated from its manifest. */
export type RuntimeOptions = Omit<ServiceOptions, 'definition' | 'implementation'>

/** A running service, without a transport. Everything that serves requests takes it first. */
export interface Service {
  /** The service id of the manifest: issuer and audience of its tokens. */
  readonly id: string
  /** This process, for the leases and intents that it owns. */
  readonly owner: string
  readonly manifest: Manifest
  readonly capabilities: ReadonlyMap<string, Capability>
  readonly validators: ServiceDefinition['validators']
  readonly implementation: Implementation
  readonly storage: Storage
  readonly keys: { ring(): KeyRing; replace(ring: KeyRing): void }
  readonly bootstrap: Bootstrap
  readonly providers: readonly IdentityProvider[]
  readonly accounts: KnownAccounts
  readonly tokens: TokenCache
  /** Pages for people, where a surface serves some: it says so when it opens. */
  readonly pages: {
    approval?: (approvalRequestId: string) => string
    connection?: (upstream: string) => string
    /** Page that a person comes back to from an authorization server. */
    connected?: () => string
  }
  /** Access tokens of people's accounts. */
  readonly connections: ConnectionMemory
  /** Number of revocations that this process has answered: a token that was read before the last one is read again. */
  readonly revocations: { count: number }
  readonly documents: Documents
  readonly record: Recorder['record']
  /** Outcomes that the store could not take when they came about. */
  readonly unrecorded: Settlement[]
  readonly reloadKeys: (() => Promise<KeyRing>) | undefined
  readonly apiKeys: ApiKeyHolder
  readonly rates: Rates
  readonly refusalCounter: RefusalCounter
  readonly refusalTally: RefusalTally
  /** Unknown credentials by client address. */
  readonly guesses: LocalRates
  readonly bodies: BodiesInFlight
  /** Long reads of the database: of what anybody may read, and of the trail. */
  readonly reads: { readonly public: ReadsInTurn; readonly trail: ReadsInTurn }
  /** Root principal -> queries of the trail that run. */
  readonly audits: Map<string, number>
  /** Kind and root principal, or kind and token of a delegate -> streams, waits and calls that are open. */
  readonly places: Map<string, number>
  readonly alarms: Alarms
  readonly notify: readonly NotifyTarget[]
  /** Undefined where metrics are switched off. */
  readonly metrics: ServiceMetrics | undefined
  /** Undefined where calls are not traced. */
  readonly tracing: Tracing | undefined
  readonly decisions: DecisionWatch
  /** Capabilities that an operator has paused, as they were read last. */
  readonly paused: Set<string>
  readonly clock: {
    /** The time of the store, ms since the epoch, where it may be believed. */
    confirmed(): Promise<number | undefined>
    /** The latest time, ms since the epoch, that may be believed now; 0 before anybody looked. */
    vouched(): number
  }
  readonly counters: {
    /**
     * Takes in what the trail has since the last time, and compares: all counters, or those alone that have ended.
     * Gives how many rows it ended or put back.
     */
    compare(scope?: 'all' | 'ended'): Promise<number>
  }
  /** Writes rows under an older `rows` key anew, as long as there are some. */
  readonly renewRows: () => Promise<void>
  /** While draining, the service answers but is not ready for more. */
  readonly lifecycle: { draining: boolean }
  readonly ids: Ids
  readonly publishedManifest: PublishedManifest | undefined
  readonly checkpointMemory: CheckpointMemory | undefined
  /** In the form in which hosts are compared. */
  readonly hosts: ReadonlySet<string> | undefined
  /** The public address, once the service is served: its origin, its host as hosts are compared, and its path, if any. */
  readonly site: { origin?: string; host?: string; base?: string }
  readonly origins: ReadonlySet<string> | undefined
  readonly limits: RuntimeLimits
  readonly log: Log
  readonly now: () => number
  /** Lease of this process; `heldSince` (ms) is when it was taken again after it had lapsed, and 0 before that. */
  readonly lease: { wasHeld: boolean; heldSince: number }
  /** Waits for the entries under way. The storage stays open: whoever opened it closes it. */
  close(): Promise<void>
}
