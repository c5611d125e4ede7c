import { randomUUID } from 'node:crypto'
import type { KeyRing } from '../crypto/keys/key-ring.js'
import { unknownOutcomeEvent } from './events/event.js'
import { alarms, type Alarms } from './telemetry/alarms.js'
import type { Log } from './definition.js'
import { decisionWatch } from './audit/decision-watch.js'
import { startRecorder } from './audit/recorder.js'
import { guardedStorage } from './rows/guarded-storage.js'
import type { RowGuard } from './rows/row-guard.js'
import { renewal } from './rows/renew-rows.js'
import { rowScan } from './rows/row-scan.js'
import { rowSeal } from './rows/row-seal.js'
import { refusalTally } from './audit/refusal-tally.js'
import { knownAccounts } from './credentials/known-accounts.js'
import { sealFor } from './storage/seal.js'
import { apiKeyHolder, type ApiKeyHolder } from './credentials/api-keys.js'
import type { Bootstrap, IdentityProvider } from './credentials/known.js'
import { firstOf, fromHook } from './credentials/hook.js'
import { identityProvider } from './credentials/oidc/bootstrap.js'
import { tokenCache } from './credentials/token-cache.js'
import type { HookBounds } from './credentials/identity-hook.js'
import type { Checkpoint } from '../protocol/audit.js'
import type { CheckpointMemory } from './checkpoints/make.js'
import { withBoundedSigners } from './keys/bounded-signers.js'
import { connectionMemory } from './credentials/connection-memory.js'
import { checkpointMemory } from './checkpoints/memory.js'
import { documentsOf } from './keys/published-documents.js'
import { authenticateEarlierRows } from './lifecycle/earlier-rows.js'
import { clockWatch } from './lifecycle/clock-watch.js'
import { counterWatch } from './lifecycle/counter-watch.js'
import { holdProcessLease, releaseProcessLease } from './lifecycle/process-lease.js'
import { comparableHost } from './net/host.js'
import { bodiesInFlight } from './request/bodies-in-flight.js'
import { readsInTurn } from './request/reads-in-turn.js'
import { plainCopy } from './json/plain-copy.js'
import { ownTarget } from './events/targets/target.js'
import { idsFrom } from './storage/ids.js'
import { DEFAULT_LIMITS } from './limits.js'
import { localRates } from './rates/local-rates.js'
import { sharedRates } from './rates/rates.js'
import { refusalCounter } from './errors/refusal-counter.js'
import { noteServed } from './lifecycle/published-start.js'
import { assertOwnDatabase } from './lifecycle/own-database.js'
import { assertStartable } from './lifecycle/start-up.js'
import { retentionsOf } from './lifecycle/retention.js'
import type { Settlement, Storage } from './storage/contract.js'
import { readPauses } from './operate/pausing.js'
import { serviceMetrics, type ServiceMetrics } from './telemetry/service-metrics.js'
import { businessFailuresOf } from '../protocol/business-failures.js'
import { FAILURES } from '../protocol/failures.js'
import type { Manifest } from '../protocol/manifest.js'
import { jsonLog } from './telemetry/log.js'
import type { Service, ServiceOptions } from './service.js'
import { PROCESS_TIME } from './telemetry/process-time.js'
import { unconfinedServers } from './telemetry/unconfined-servers.js'

/**
 * Makes a service from its definition and implementation. Rejects with `StartUpError` when something that it cannot
 * work without is missing, and names it: a handler, a validator, a resolver, or an active key of a role.
 *
 * @example
 * // The generated createService calls it, with the definition of the manifest and your handlers: const service = await
 * createService({ ...options, definition: { manifest, validators }, implementation: { handlers } }) const answer =
 * fetchHandler(service) // (request: Request) => Promise<Response>
 */
export async function createService(given: ServiceOptions): Promise<Service> {
  const options = { ...given, notify: (given.notify ?? []).map(ownTarget) }
  await assertStartable(options)
  await assertOwnDatabase(options)
  await noteServed(options)
  const { definition, implementation, clock = Date.now, log = jsonLog() } = options
  for (const remark of options.storage.remarks ?? []) log.warn(remark)
  const { manifest, validators } = definition
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const keys = keyHolder(options.keys, (ring) => withBoundedSigners(ring, { ...limits, log }))
  const raised = alarms()
  const seal = rowSeal(manifest.service_identity.id, () => keys.ring().secrets ?? [])
  const guard = { ...seal, now: clock, ...rowAlarms(raised, log) }
  const storage = guardedStorage(options.storage, guard)
  const apiKeys = apiKeyHolder(options.apiKeys ?? [], clock, { isDevelopment: options.development === true, log })
  const capabilities = new Map(Object.entries(manifest.capabilities))
  const metrics = options.metrics === false ? undefined : serviceMetrics(capabilities, failureKnower(manifest))
  const recorder = startRecorder({
    storage,
    onCommit: metrics?.committed,
    seal: sealFor(retentionsOf(capabilities), limits),
  })
  const decisions = decisionWatch()
  const counted = noting(recorder.record, [decisions, ...(metrics === undefined ? [] : [metrics])])
  const record: Service['record'] = (settlement) => counted(reporting(service, settlement))
  const state = { ...freshState(storage, clock), alarms: raised }
  const met = { now: clock, limits, log, alarms: raised }
  const providers = (options.oidc ?? []).map((provider) => identityProvider(provider, met))
  const service: Service = {
    id: manifest.service_identity.id,
    owner: randomUUID(),
    manifest,
    capabilities,
    validators,
    implementation,
    storage,
    keys,
    bootstrap: bootstrapOf(options, apiKeys, providers, { timeoutMs: limits.authenticateTimeoutMs, log }),
    providers,
    apiKeys,
    accounts: knownAccounts(storage.accounts, clock, () => guard.inForce('accounts', [])),
    tokens: tokenCache(limits.tokenCacheEntries),
    documents: await documentsOf({
      manifest,
      ring: keys.ring,
      now: clock,
      lifetimeMs: limits.manifestLifetimeMs,
      published: options.publishedManifest,
      openapi: definition.place === undefined ? undefined : new URL('openapi.json', definition.place),
    }),
    record,
    reloadKeys: options.reloadKeys ?? options.keys.reload,
    publishedManifest: options.publishedManifest,
    checkpointMemory: plainMemory(options.checkpointMemory) ?? memoryIn(options.stateDir ?? options.keys.directory),
    ids: options.ids ?? (await idsFrom(storage)),
    hosts: options.hosts && new Set(options.hosts.map((host) => comparableHost(host)!)),
    origins: options.origins === undefined ? undefined : new Set(options.origins),
    limits,
    bodies: bodiesInFlight(limits, options.uptime ?? PROCESS_TIME.uptime, bodiesAlarm(raised, log)),
    reads: { public: readsInTurn(), trail: readsInTurn() },
    audits: new Map(),
    log,
    metrics,
    decisions,
    tracing: options.tracing,
    notify: options.notify,
    now: clock,
    ...state,
    clock: clockWatch({ storage, log, alarms: state.alarms }, options.uptime),
    counters: counterWatch({
      scanRows: rowScan(storage.rowTexts, guard),
      id: manifest.service_identity.id,
      capabilities,
      manifest,
      storage,
      record,
      log,
      now: clock,
      ...state,
    }),
    renewRows: renewal(storage.rowTexts, seal, () => keys.ring().secrets ?? [], log),
    close: async () => {
      await recorder.idle()
      await releaseProcessLease(service)
    },
  }
  await service.clock.confirmed()
  await holdProcessLease(service)
  await authenticateEarlierRows(service, seal)
  await service.counters.compare()
  await readPauses(service)
  reportUnconfined(service)
  return service
}

/** A memory whose answers are read once (decisions, section 20). */
const plainMemory = (given: CheckpointMemory | undefined): CheckpointMemory | undefined =>
  given && {
    last: async (log) => plainCopy(await given.last(log)) as object | undefined as Checkpoint | undefined,
    keep: (log, checkpoint) => given.keep(log, checkpoint),
    isWritable: async () => (await given.isWritable?.()) !== false,
    hasAny: async () => (await given.hasAny?.()) === true,
  }

/** Reports at each start which servers behind reach all that the service reaches; health shows it (decisions, section 20). */
function reportUnconfined({ alarms, log }: Service): void {
  for (const { name, reason } of unconfinedServers()) {
    alarms.add('upstream_unconfined')
    log.warn('An MCP server behind runs without confinement: it reaches all that this service reaches.', {
      name,
      reason,
    })
  }
}

/** A pool of bodies that is full says so in health, until a minute has passed without a refusal (threat N29). */
const bodiesAlarm =
  (raised: Alarms, log: Log) =>
  (pool: string): void => {
    raised.add('bodies_refused')
    log.warn('Request bodies were refused: too many are on their way.', { pool })
  }

/** A row that this service did not make gives nothing; one that takes authority away stays in force. Health says so. */
function rowAlarms(raised: Alarms, log: Log): Pick<RowGuard, 'failed' | 'inForce'> {
  const report =
    (consequence: string): RowGuard['failed'] =>
    (table, key) => {
      raised.add('rows_altered')
      log.error(`A row of the database is not as this service wrote it. ${consequence}`, { table, key })
    }
  return { failed: report('It counts as absent.'), inForce: report('It stays in force.') }
}

/** Returns the memory of the last checkpoint: beside the keys, or in the configured folder. */
const memoryIn = (directory: string | undefined): CheckpointMemory | undefined =>
  directory === undefined ? undefined : checkpointMemory(directory)

/** Creates the mutable state of a service. */
const freshState = (
  storage: Storage,
  clock: () => number,
): Pick<
  Service,
  | 'unrecorded'
  | 'revocations'
  | 'pages'
  | 'connections'
  | 'site'
  | 'rates'
  | 'guesses'
  | 'refusalCounter'
  | 'refusalTally'
  | 'places'
  | 'paused'
  | 'lifecycle'
  | 'lease'
> => ({
  unrecorded: [],
  revocations: { count: 0 },
  pages: {},
  connections: connectionMemory(),
  site: {},
  rates: sharedRates(storage.rates, clock),
  guesses: localRates(clock),
  refusalCounter: refusalCounter(),
  refusalTally: refusalTally(clock),
  places: new Map(),
  paused: new Set(),
  lifecycle: { draining: false },
  lease: { wasHeld: false, heldSince: 0 },
})

/** An outcome that nobody knows is reported in the transaction that records it. */
const reporting = (service: Service, settlement: Settlement): Settlement =>
  service.notify.length === 0 ? settlement : { ...settlement, event: unknownOutcomeEvent(service, settlement.draft) }

/** Counts each new audit entry, and wakes those who wait for it. */
const noting =
  (record: Service['record'], watchers: readonly Pick<ServiceMetrics, 'recorded'>[]): Service['record'] =>
  async (settlement) => {
    const sealed = await record(settlement)
    if (sealed !== undefined) for (const watcher of watchers) watcher.recorded(settlement.draft)
    return sealed
  }

/** Types of the interface and declared ones are labels; a handler may make up others. */
function failureKnower(manifest: Manifest): (type: string) => boolean {
  const declared = new Set(
    Object.values(manifest.capabilities).flatMap((each) => businessFailuresOf(each).map(({ type }) => type)),
  )
  return (type) => Object.hasOwn(FAILURES, type) || declared.has(type)
}

/** The key ring, which may be replaced while the service runs. */
function keyHolder(first: KeyRing, held: (ring: KeyRing) => KeyRing): Service['keys'] {
  let current = held(first)
  return {
    ring: () => current,
    // Secrets are given once, when a process starts; a ring without them keeps those that were given.
    replace: (ring) => void (current = held({ secrets: current.secrets ?? [], ...ring })),
  }
}

function bootstrapOf(
  { authenticate }: ServiceOptions,
  apiKeys: ApiKeyHolder,
  providers: readonly IdentityProvider[],
  bounds: HookBounds,
): Bootstrap {
  const hook = authenticate === undefined ? [] : [fromHook(authenticate, bounds)]
  const signIns = providers.map(({ bootstrap }) => bootstrap)
  return firstOf([async (bearer, client) => apiKeys.known(bearer, client), ...signIns, ...hook])
}
