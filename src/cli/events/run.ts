import type { EventList, EventResending, ListedEvent } from '../../protocol/events.js'
import type { ExitCode } from '../shared/errors/cli-error.js'
import { printable } from '../shared/output/printable.js'
import type { ConnectionOptions } from '../service/connection.js'
import { askInRole } from '../service/operator-request.js'

export interface EventListOptions extends ConnectionOptions {
  readonly state?: string
  readonly type?: string
  readonly target?: string
  readonly cursor?: string
}

export interface ResendOptions extends ConnectionOptions {
  readonly target?: string
  readonly reason: string
}

/** `svc events list`. */
export const listEvents = (options: EventListOptions): Promise<ExitCode> => {
  const { state, type, target, cursor } = options
  return askInRole<EventList>(
    options,
    { operation: 'operator_events', query: { state, type, target, cursor } },
    ({ events, next_cursor }) =>
      events.length === 0 ? 'No events.' : [...events.map(eventLine), ...next(next_cursor)].join('\n'),
  )
}

const next = (cursor: string | undefined): readonly string[] =>
  cursor === undefined ? [] : [`More: --cursor ${printable(cursor)}`]

const eventLine = ({ event_id, state, target, attempts, created_at, ...rest }: ListedEvent): string =>
  [created_at, state, target, event_id, attemptsOf(attempts), rest.last_error ?? '', againAt(rest)]
    .filter((part) => part !== '')
    .map(printable)
    .join('  ')

const attemptsOf = (attempts: number): string => `${attempts} attempt${attempts === 1 ? '' : 's'}`

const againAt = ({ last_error, next_attempt_at }: Pick<ListedEvent, 'last_error' | 'next_attempt_at'>): string =>
  last_error === undefined || next_attempt_at === undefined ? '' : `again at ${next_attempt_at}`

/** `svc events resend`. */
export const resendEvent = (id: string, { target, reason, ...options }: ResendOptions): Promise<ExitCode> =>
  askInRole<EventResending>(
    options,
    { operation: 'operator_event_resend', segments: { id }, body: { ...(target !== undefined && { target }), reason } },
    ({ event_id, targets }) => `Sent again: ${printable(event_id)} to ${targets.map(printable).join(', ')}.`,
  )
