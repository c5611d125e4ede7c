/** Requests of pages to the service, always below `/-/console/api`. */
import { ROOT } from './place.js'

/** Something that the service refused, or that never reached it. */
export interface Trouble {
  /** Failure type of the service; `no_answer` where there was none. */
  readonly type: string
  readonly detail: string
  /** Of a call that was refused. */
  readonly invocation_id?: string
  /** Of what has to be approved first. */
  readonly approval_request_id?: string
}

export type Asked<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly trouble: Trouble }

const API = `${ROOT}/api`

let csrf = ''

/** Pages send it with each change; `me` brings it. */
export const useCsrf = (token: string): void => void (csrf = token)

export const get = <T>(path: string): Promise<Asked<T>> => asked(path, { method: 'GET' })

export const post = <T>(path: string, body: object = {}): Promise<Asked<T>> =>
  asked(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-csrf-token': csrf },
    body: JSON.stringify(body),
  })

async function asked<T>(path: string, request: RequestInit): Promise<Asked<T>> {
  try {
    const response = await fetch(`${API}${path}`, { ...request, credentials: 'same-origin', redirect: 'error' })
    const value = (await response.json()) as T & { readonly failure?: Trouble; readonly invocation_id?: string }
    if (response.ok) return { ok: true, value }
    const { failure = NO_ANSWER, invocation_id } = value
    return { ok: false, trouble: { ...failure, ...(invocation_id !== undefined && { invocation_id }) } }
  } catch {
    return { ok: false, trouble: NO_ANSWER }
  }
}

const NO_ANSWER: Trouble = {
  type: 'no_answer',
  detail: 'The service did not answer. It may have received this or not; pressing again is safe.',
}
