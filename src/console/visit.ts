import type { HttpRequest, HttpResponse } from '../runtime/http/exchange.js'
import type { Person } from './session/person.js'
import type { Setting } from './setting.js'

/** A request to an endpoint of the console. */
export interface Visit {
  readonly setting: Setting
  readonly request: HttpRequest
  readonly query: URLSearchParams
  /** The segment of the path that has a name, percent-decoded. */
  readonly segments: { readonly [name: string]: string }
}

/** The same by somebody who has signed in. */
export interface SignedInVisit extends Visit {
  readonly person: Person
  /** Acts when the answer has left; unless given, what the answer holds ends when it is made. */
  readonly whenLeft?: (act: () => void) => void
}

interface Place {
  readonly method: 'GET' | 'POST'
  /** Below `/-/console`, with `{name}` for a segment. */
  readonly path: string
}

/**
 * Route of the console: its callers and its handler. `isPassive` marks requests that the page sends by itself, which
 * do not keep a session alive.
 */
export type ConsoleRoute = Place &
  (
    | { readonly anybody: (visit: Visit) => Promise<HttpResponse> }
    | { readonly signedIn: (visit: SignedInVisit) => Promise<HttpResponse>; readonly isPassive?: true }
  )
