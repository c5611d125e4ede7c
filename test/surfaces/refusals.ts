/** Calls that are refused, each in another way, and what of the refusal must reach whoever made the call (S1). */
import type { Given } from '../runtime/fixture/service.js'

export const BROKEN: Given = {
  handlers: {
    search: () => Promise.reject(new Error('The database is away.')),
    'trip.book': () => ({ booked: 'x' }),
    ask: () => ({}),
    slow: () => ({}),
  },
}

/** Tool, arguments, then type, retry and action of the failure. */
export const REFUSED: readonly (readonly [string, object, Reached])[] = [
  ['search', {}, { type: 'invalid_parameters', retry: false, action: 'check_manifest' }],
  ['search', { city: 'Faro', extra: 1 }, { type: 'invalid_parameters', retry: false, action: 'check_manifest' }],
  ['search', { city: 'Faro' }, { type: 'internal_error', retry: false, action: 'contact_service_owner' }],
  ['ask', {}, { type: 'clarification_required', retry: false, action: 'provide_input' }],
  ['trip__book', { hotel: 'Ritz' }, { type: 'approval_required', retry: true, action: 'wait_and_retry' }],
  ['secret', {}, { type: 'scope_insufficient', retry: false, action: 'request_broader_scope' }],
  ['nothing', {}, { type: 'unknown_capability', retry: false, action: 'check_manifest' }],
]

export interface Reached {
  readonly type: string
  readonly retry: boolean
  readonly action: string
}

interface Refusal {
  readonly failure: {
    readonly type: string
    readonly detail: string
    readonly retry: boolean
    readonly resolution: { readonly action: string }
  }
}

/** What reached the caller, once its detail was found to be a sentence. */
export function reachedIn(refusal: unknown): Reached {
  const { type, detail, retry, resolution } = (refusal as Refusal).failure
  if (!/^[A-Z].*\.$/su.test(detail)) throw new Error(`The detail ${JSON.stringify(detail)} is no sentence.`)
  return { type, retry, action: resolution.action }
}
