import type { GetStatusHandler } from '../../generated/handlers.js'
import type { GetStatusOutput } from '../../generated/types.js'

const started = new Date()

/** Report the state of the service, and since when it has been running. */
export const getStatus: GetStatusHandler = (input): GetStatusOutput => ({
  state: 'up',
  started_at: started.toISOString(),
  memory_megabytes: input.verbose ? Math.round(process.memoryUsage().rss / 2 ** 20) : null,
})
