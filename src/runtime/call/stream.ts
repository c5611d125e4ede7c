import { failure } from '../../protocol/failures.js'
import type { StreamSummary } from '../../protocol/invocation.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { disclosed, disclosureLevel } from '../errors/disclosure.js'
import type { EndpointAnswer } from '../endpoint/endpoint.js'
import { Refusal } from '../errors/refusal.js'
import type { Service } from '../service.js'
import { timestamp } from '../json/timestamp.js'
import { takeStream } from '../auth/held-places.js'
import { openChannel, type Channel } from './channel.js'
import { invoke, type Ending } from './invoke.js'
import { begin, type NewInvocation, type Invocation, type Listener } from './invocation.js'

/** Counts of a running stream. */
interface Counts {
  emitted: number
  delivered: number
}

/**
 * Runs an invocation whose caller follows it (decisions, section 4). Until the handler starts, a failure is a plain
 * answer; from then on there are `progress` events and exactly one `completed` or `failed`. A caller that leaves does
 * not stop the handler.
 */
export async function streamed(service: Service, given: NewInvocation): Promise<EndpointAnswer> {
  let release = (): void => undefined
  let channel: Channel | undefined
  const counts: Counts = { emitted: 0, delivered: 0 }
  const startedAt = service.now()
  const opened = new Promise<EndpointAnswer>((resolve) => {
    const listener: Listener = {
      reserve: () => void (release = takeStream(service, given.token)),
      started: () => {
        channel = openChannel(service.limits.streamHeartbeatMs)
        resolve({ events: channel.stream })
      },
      progress: async (payload) => {
        counts.emitted += 1
        const sent = await channel?.send('progress', { ...headOf(service, invocation), payload })
        if (sent === true) counts.delivered += 1
      },
    }
    const invocation = begin({ ...given, listener })
    const end = (ending: Ending): void => {
      if (channel === undefined) resolve(plain(ending))
      else finish(service, channel, invocation, ending, { ...counts, startedAt })
    }
    void invoke(service, invocation)
      .then(end, (error: unknown) => end(endingOf(service, invocation, error)))
      .finally(() => release())
  })
  return opened
}

const plain = ({ status, body, replayed, retryAfter }: Ending): EndpointAnswer => ({
  status,
  text: body,
  replayed,
  retryAfter,
})

const headOf = (service: Service, { id, lineage }: Invocation): object => ({
  invocation_id: id,
  ...lineage,
  timestamp: timestamp(service.now()),
})

/** The last event: the whole envelope, and what became of the stream. */
function finish(
  service: Service,
  channel: Channel,
  invocation: Invocation,
  ending: Ending,
  { emitted, delivered, startedAt }: Counts & { readonly startedAt: number },
): void {
  const envelope = JSON.parse(ending.body) as JsonObject
  const stream_summary: StreamSummary = {
    events_emitted: emitted,
    events_delivered: delivered,
    duration_ms: service.now() - startedAt,
    client_disconnected: channel.isAbandoned(),
  }
  channel.end(envelope['success'] === true ? 'completed' : 'failed', {
    ...headOf(service, invocation),
    ...envelope,
    stream_summary,
  })
}

/** An outcome that could not be recorded is answered as such. */
function endingOf(service: Service, { id, lineage, token }: Invocation, error: unknown): Ending {
  const reason = error instanceof Refusal ? error.failure : failure('internal_error', 'The service failed.')
  const level = disclosureLevel(service.manifest, token.claims.caller_class)
  return {
    status: 500,
    body: JSON.stringify({ success: false, invocation_id: id, ...lineage, failure: disclosed(reason, level) }),
  }
}
