import { randomUUID } from 'node:crypto'
import type { KeyRing } from '../crypto/keys/key-ring.js'
import type { Capability, Manifest } from '../protocol/manifest.js'
import { alarms, type Alarms } from './lifecycle/alarms.js'
import { startRecorder, type Recorder } from './audit/recorder.js'
import { knownAccounts, type KnownAccounts } from './auth/known-accounts.js'
import { sealFor } from './audit/seal.js'
import { apiKeyHolder, type ApiKeyHolder, type ApiKeys } from './auth/api-keys.js'
import { firstOf, fromHook, type Bootstrap } from './auth/bootstrap.js'
import { fromOidc } from './auth/oidc/bootstrap.js'
import type { OidcOptions } from './auth/oidc/options.js'
import { tokenCache, type TokenCache } from './auth/token-cache.js'
import type { CheckpointMemory } from './checkpoints/make.js'
import { withBoundedSigners } from './keys/bounded-signers.js'
import { checkpointMemory } from './checkpoints/memory.js'
import type { Authenticate, Implementation, Log, ServiceDefinition } from './definition.js'
import { documentsOf, type Documents, type PublishedManifest } from './keys/published-documents.js'
import { holdProcessLease, releaseProcessLease } from './lifecycle/process-lease.js'
import { idsFrom, type Ids } from './storage/ids.js'
import { DEFAULT_LIMITS, type RuntimeLimits } from './limits.js'
import { localRates, type LocalRates } from './rates/local-rates.js'
import { sharedRates, type Rates } from './rates/rates.js'
import { refusalCounter, type Refusals } from './errors/refusal-counter.js'
import { assertStartable } from './lifecycle/start-up.js'
import { retentionsOf } from './lifecycle/retention.js'
import type { Settlement, Storage } from './storage/contract.js'
import { jsonLog } from './telemetry/log.js'

export interface ServiceOptions {
  /** What generated code knows: the manifest and its validators. */
  readonly definition: ServiceDefinition
  /** Handlers, and hooks where the manifest names them. */
  readonly implementation: Implementation
  readonly storage: Storage
  /** Needs an active signing key for each role: `manifest`, `tokens`, `audit`. */
  readonly keys: KeyRing
  readonly apiKeys?: ApiKeys
  /** Asked for credentials that are no known API key; may be asynchronous. */
  readonly authenticate?: Authenticate
  /** Identity providers whose tokens prove who calls. */
  readonly oidc?: readonly OidcOptions[]
  /** ms since the epoch; the system's clock by default. */
  readonly clock?: () => number
  /** JSON lines on standard error by default. */
  readonly log?: Log
  readonly limits?: Partial<RuntimeLimits>
  /** Served as it is, where the manifest's key is offline. */
  readonly publishedManifest?: PublishedManifest
  /**
   * Host names (with port, where there is one) that requests may be for; any, when absent. Guards against DNS rebinding. Health may
   * be asked for by any.
   */
  readonly hosts?: readonly string[]
  /** Origins whose pages may read answers, as `https://app.example`; none, when absent. */
  readonly origins?: readonly string[]
  readonly ids?: Ids
  /** What was signed last, kept outside of the storage (beside the keys by default), so that a restored backup is noticed. */
  readonly checkpointMemory?: CheckpointMemory
  /** Asked now and then for the keys as they are; a rotation takes effect without a restart. */
  readonly reloadKeys?: () => Promise<KeyRing>
}

/** What a service needs beside what is generated from its manifest. */
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
  readonly accounts: KnownAccounts
  readonly tokens: TokenCache
  /** How many revocations this process has answered: a token that was read before the last one is read again. */
  readonly revocations: { count: number }
  readonly documents: Documents
  readonly record: Recorder['record']
  /** Outcomes that the store could not take when they came about. */
  readonly unrecorded: Settlement[]
  readonly reloadKeys: (() => Promise<KeyRing>) | undefined
  readonly apiKeys: ApiKeyHolder
  readonly rates: Rates
  readonly refusals: Refusals
  /** Unknown credentials by client address. */
  readonly guesses: LocalRates
  /** Root principal -> streams that are open. */
  readonly streams: Map<string, number>
  readonly alarms: Alarms
  /** While draining, the service answers but is not ready for more. */
  readonly lifecycle: { draining: boolean }
  readonly ids: Ids
  readonly checkpointMemory: CheckpointMemory | undefined
  readonly hosts: ReadonlySet<string> | undefined
  readonly origins: ReadonlySet<string> | undefined
  readonly limits: RuntimeLimits
  readonly log: Log
  readonly now: () => number
  /** Waits for the entries under way. The storage stays open: whoever opened it closes it. */
  close(): Promise<void>
}

/**
 * Makes a service from its definition and implementation. Rejects with `StartUpError` when something that it cannot work without
 * is missing, and names it: a handler, a validator, a resolver, or an active key of a role.
 */
export async function createService(options: ServiceOptions): Promise<Service> {
  assertStartable(options)
  const { definition, implementation, storage, clock = Date.now, log = jsonLog() } = options
  const { manifest, validators } = definition
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const keys = keyHolder(options.keys, (ring) => withBoundedSigners(ring, { ...limits, log }))
  const apiKeys = apiKeyHolder(options.apiKeys ?? [])
  const capabilities = new Map(Object.entries(manifest.capabilities))
  const recorder = startRecorder({ storage, seal: sealFor(retentionsOf(capabilities)) })
  const service: Service = {
    id: manifest.service_identity.id,
    owner: randomUUID(),
    manifest,
    capabilities,
    validators,
    implementation,
    storage,
    keys,
    bootstrap: bootstrapOf(options, apiKeys, limits, clock),
    apiKeys,
    accounts: knownAccounts(storage.accounts),
    tokens: tokenCache(limits.tokenCacheEntries),
    documents: await documentsOf({
      manifest,
      ring: keys.ring,
      now: clock,
      lifetimeMs: limits.manifestLifetimeMs,
      published: options.publishedManifest,
      openapi: definition.openapi,
    }),
    record: recorder.record,
    reloadKeys: options.reloadKeys ?? options.keys.reload,
    checkpointMemory: options.checkpointMemory ?? memoryBeside(options.keys),
    ids: options.ids ?? (await idsFrom(storage)),
    hosts: options.hosts === undefined ? undefined : new Set(options.hosts),
    origins: options.origins === undefined ? undefined : new Set(options.origins),
    limits,
    log,
    now: clock,
    ...freshState(storage, clock),
    close: async () => {
      await recorder.idle()
      await releaseProcessLease(service)
    },
  }
  await holdProcessLease(service)
  return service
}

/** Keys from a directory remember there what was signed last. */
const memoryBeside = ({ directory }: KeyRing): CheckpointMemory | undefined =>
  directory === undefined ? undefined : checkpointMemory(directory)

/** What changes while a service runs. */
const freshState = (
  storage: Storage,
  clock: () => number,
): Pick<
  Service,
  'unrecorded' | 'revocations' | 'rates' | 'guesses' | 'refusals' | 'streams' | 'alarms' | 'lifecycle'
> => ({
  unrecorded: [],
  revocations: { count: 0 },
  rates: sharedRates(storage.rates, clock),
  guesses: localRates(clock),
  refusals: refusalCounter(),
  streams: new Map(),
  alarms: alarms(),
  lifecycle: { draining: false },
})

/** The key ring, which may be replaced while the service runs. */
function keyHolder(first: KeyRing, held: (ring: KeyRing) => KeyRing): Service['keys'] {
  let current = held(first)
  return {
    ring: () => current,
    replace: (ring) => void (current = held(ring)),
  }
}

function bootstrapOf(
  { oidc = [], authenticate }: ServiceOptions,
  apiKeys: ApiKeyHolder,
  limits: RuntimeLimits,
  clock: () => number,
): Bootstrap {
  const hook = authenticate === undefined ? [] : [fromHook(authenticate, limits.authenticateTimeoutMs)]
  const providers = oidc.map((provider) => fromOidc(provider, clock, limits))
  return firstOf([async (bearer) => apiKeys.known(bearer), ...providers, ...hook])
}
