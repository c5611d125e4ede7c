/** The existing HTTP API. Its address and credential come from main.ts; nothing of them reaches a caller. */
export interface Desk {
  readonly url: string
  readonly key: string
}

let desk: Desk = { url: 'http://127.0.0.1:4180', key: '' }

/** Says where the API is, before the service starts. */
export function useDesk(configured: Desk): void {
  desk = configured
}

/** A value as one segment of a path; undefined for one that would name another path of the API. */
export const segmentOf = (value: string): string | undefined =>
  /^[A-Za-z0-9][A-Za-z0-9_.~-]{0,99}$/u.test(value) ? encodeURIComponent(value) : undefined

/** Asks the API; undefined when it does not answer in time. */
export const askDesk = (
  method: 'GET' | 'POST',
  path: string,
  signal: AbortSignal,
  body?: object,
): Promise<Response | undefined> =>
  fetch(new URL(path, desk.url), {
    method,
    headers: { Authorization: `Bearer ${desk.key}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(5000)]),
  }).catch(() => undefined)
