import { refuse } from '../errors/refusal.js'
import { inRole } from '../operate/role-of.js'
import type { Service } from '../service.js'
import type { Gauge } from '../telemetry/metric-families.js'
import type { Endpoint } from '../endpoint/endpoint.js'

/** GET /-/metrics: for Prometheus, in its text format 0.0.4 (decisions, section 13). */
export const metricsEndpoint: Endpoint = async (service, call) => {
  await inRole(service, call, 'metrics')
  if (service.metrics === undefined)
    return refuse('not_found', 'Metrics are switched off: createService has metrics: false.')
  return { metrics: service.metrics.text([...(await gaugesOfStore(service)), ...gaugesOfProcess(service)]) }
}

/** Returns the gauges of the store: whether it answers and, if it does, how many entries checkpoints are behind. */
async function gaugesOfStore({ storage, manifest, now }: Service): Promise<readonly Gauge[]> {
  const read = await Promise.all([storage.audit.size(), storage.checkpoints.latest()]).catch(() => undefined)
  const up: Gauge = {
    name: 'svc_store_up',
    help: '1 if the store responds.',
    values: [[{}, read === undefined ? 0 : 1]],
  }
  if (read === undefined) return [up]
  const [size, last] = read
  const entries: Gauge = { name: 'svc_trail_entries', help: 'Entries of the trail.', values: [[{}, size]] }
  if (manifest.trust.level !== 'anchored') return [up, entries]
  const uncovered = size - (last?.entry_count ?? 0)
  const age = uncovered === 0 || last === undefined ? 0 : Math.max(0, now() - Date.parse(last.created_at)) / 1000
  return [
    up,
    entries,
    { name: 'svc_checkpoint_uncovered_entries', help: 'Entries that no checkpoint covers.', values: [[{}, uncovered]] },
    {
      name: 'svc_checkpoint_lag_seconds',
      help: 'Age of the last checkpoint while entries wait for one.',
      values: [[{}, age]],
    },
  ]
}

function gaugesOfProcess({ alarms, lifecycle, unrecorded, paused, id }: Service): readonly Gauge[] {
  const { heapUsed, rss } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  return [
    { name: 'svc_up', help: 'The service that answers.', values: [[{ service: id }, 1]] },
    { name: 'svc_alarm', help: 'Alarms that are raised.', values: alarms.all().map((alarm) => [{ alarm }, 1]) },
    {
      name: 'svc_draining',
      help: '1 if the process is stopping.',
      values: [[{}, lifecycle.draining ? 1 : 0]],
    },
    { name: 'svc_unrecorded_outcomes', help: 'Outcomes that wait for the store.', values: [[{}, unrecorded.length]] },
    { name: 'svc_paused_capabilities', help: 'Capabilities that an operator has paused.', values: [[{}, paused.size]] },
    { name: 'process_resident_memory_bytes', help: 'Resident memory.', values: [[{}, rss]] },
    { name: 'process_heap_used_bytes', help: 'Heap in use.', values: [[{}, heapUsed]] },
    { name: 'process_cpu_seconds', help: 'CPU that the process took.', values: [[{}, (user + system) / 1e6]] },
    { name: 'process_uptime_seconds', help: 'Running time of the process.', values: [[{}, process.uptime()]] },
  ]
}
