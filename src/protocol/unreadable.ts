import type { FailureType } from './failures.js'

interface Unreadable {
  readonly type: FailureType
  readonly detail: string
}

/** Status -> the failure of what is no request that could be handed on; the connection ends (section 7). */
export const UNREADABLE = {
  400: { type: 'invalid_parameters', detail: 'The request is not HTTP as this service reads it.' },
  408: { type: 'service_unavailable', detail: 'The request did not come in time.' },
  431: { type: 'invalid_parameters', detail: 'The request has too many headers, or too large ones.' },
} as const satisfies { readonly [status: number]: Unreadable }

export type UnreadableStatus = keyof typeof UNREADABLE
