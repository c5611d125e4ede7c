import { signerFor, verificationKeys } from '../../crypto/keys/key-ring.js'
import { cadenceMs } from '../../protocol/durations.js'
import type { Alarm } from '../telemetry/alarms.js'
import { startCheckpoints, type CheckpointHealth, type CheckpointMaker } from '../checkpoints/schedule.js'
import type { ProcessTime } from '../telemetry/process-time.js'
import type { Service } from '../service.js'

const HOUR_MS = 3600_000

/** Starts to publish signed checkpoints at the cadence of the manifest, where trust is anchored (section 6). */
export function startAnchoring(service: Service, time: ProcessTime): CheckpointMaker | undefined {
  const { level, anchoring } = service.manifest.trust
  if (level !== 'anchored') return undefined
  const { storage, owner, now, ids, keys, alarms, checkpointMemory: memory } = service
  void reportMemory(service)
  void reportNewDatabase(service).catch((error: unknown) =>
    service.log.warn('Remembered checkpoints could not be compared with the database.', { error: String(error) }),
  )
  return startCheckpoints({
    ...(memory && { memory }),
    storage,
    owner,
    clock: now,
    every: time.every,
    mayDate: () => !alarms.has('clock_differs'),
    cadenceMs: cadenceMs(anchoring?.cadence ?? 'hourly') ?? HOUR_MS,
    signer: () => signerFor(keys.ring(), 'audit'),
    keys: () => verificationKeys(keys.ring(), 'audit', now()),
    newId: () => ids.make('checkpoint'),
    onHealth: healthTeller(service),
  })
}

/** A memory that nothing can be written to notices no restored backup. */
async function reportMemory({ checkpointMemory, alarms, log }: Service): Promise<void> {
  if ((await checkpointMemory?.isWritable?.()) !== false) return
  alarms.add('rollback_detection_off')
  log.warn(
    'What is signed cannot be remembered, so a rollback of the trail is not noticed: the directory of the keys ' +
      'is read-only. Name a folder that this process may write: SVC_STATE_DIR',
  )
}

/** A database without a checkpoint, beside a memory of some, may be the rest of one that was copied without its log. */
async function reportNewDatabase({ checkpointMemory, storage, alarms, log }: Service): Promise<void> {
  const [latest, hasAny] = await Promise.all([storage.checkpoints.latest(), checkpointMemory?.hasAny?.()])
  if (latest !== undefined || hasAny !== true) return
  alarms.add('database_new')
  log.error(
    'The database has no checkpoint, and checkpoints of another database are remembered beside the keys. If it was ' +
      'copied or restored, stop the service and restore all of it (docs/guides/backup.md).',
  )
}

const ALARMS: readonly Alarm[] = ['checkpoint_overdue', 'checkpoint_failed', 'log_discontinuity']

/** Health tells how checkpoints stand; what is wrong is told loudly, once, and again when it is something else. */
export function healthTeller({
  alarms,
  log,
}: Pick<Service, 'alarms' | 'log'>): (health: CheckpointHealth, error?: unknown) => void {
  let told: CheckpointHealth = 'ok'
  return (health, error) => {
    const alarm = alarmOf(health)
    for (const each of ALARMS) if (each !== alarm) alarms.clear(each)
    const isKnown = health === told
    told = health
    if (alarm === undefined) return
    alarms.add(alarm)
    const message = ['Checkpoints are in trouble.', REMEDIES[health]].filter((part) => part !== undefined).join(' ')
    if (!isKnown) log.error(message, { health, ...(error !== undefined && { error: String(error) }) })
  }
}

const REMEDIES: { readonly [health in CheckpointHealth]?: string } = {
  log_smaller:
    'The trail has fewer entries than were signed. Keep the storage as evidence, and restore a whole backup.',
  log_differs: 'The trail is not the one that was signed. Keep the storage as evidence, and restore a whole backup.',
  entries_hidden:
    'Entries of the trail were hidden from queries. Keep the storage as evidence; svc audit export has them all.',
  checkpoint_missing: 'A newer one was signed than is stored. After restoring a backup: svc audit resume --reason "…"',
  checkpoint_altered:
    'No audit key that verifies has signed the last one. If its key was retired: svc keys retire <kid> ' +
    '--keep-verifying',
}

function alarmOf(health: CheckpointHealth): Alarm | undefined {
  if (health === 'ok') return undefined
  if (health === 'entries_hidden') return 'trail_altered'
  if (health === 'overdue') return 'checkpoint_overdue'
  return health === 'failed' ? 'checkpoint_failed' : 'log_discontinuity'
}
