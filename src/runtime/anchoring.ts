import { signerFor, verificationKeys } from '../crypto/key-ring.js'
import { cadenceMs } from '../protocol/durations.js'
import type { Alarm } from './alarms.js'
import { startCheckpoints, type CheckpointHealth, type Checkpoints } from './checkpoints/schedule.js'
import type { Service } from './service.js'

const HOUR_MS = 3600_000

/** Starts to publish signed checkpoints at the cadence of the manifest, where trust is anchored (section 6). */
export function startAnchoring(service: Service): Checkpoints | undefined {
  const { level, anchoring } = service.manifest.trust
  if (level !== 'anchored') return undefined
  const { storage, owner, now, ids, keys, checkpointMemory: memory } = service
  return startCheckpoints({
    ...(memory && { memory }),
    storage,
    owner,
    clock: now,
    cadenceMs: cadenceMs(anchoring?.cadence ?? 'hourly') ?? HOUR_MS,
    signer: () => signerFor(keys.ring(), 'audit'),
    keys: () => verificationKeys(keys.ring(), 'audit', now()),
    newId: () => ids.make('checkpoint'),
    onHealth: (health, error) => show(service, health, error),
  })
}

const ALARMS: readonly Alarm[] = ['checkpoint_overdue', 'checkpoint_failed', 'log_discontinuity']

/** Health tells how checkpoints stand; a log that is not the one that was signed is told loudly. */
function show({ alarms, log }: Service, health: CheckpointHealth, error: unknown): void {
  const alarm = alarmOf(health)
  for (const each of ALARMS) if (each !== alarm) alarms.clear(each)
  if (alarm === undefined || alarms.all().includes(alarm)) return
  alarms.add(alarm)
  log.error('Checkpoints are in trouble.', { health, ...(error !== undefined && { error: String(error) }) })
}

function alarmOf(health: CheckpointHealth): Alarm | undefined {
  if (health === 'ok') return undefined
  if (health === 'overdue') return 'checkpoint_overdue'
  return health === 'failed' ? 'checkpoint_failed' : 'log_discontinuity'
}
