/** Errors before a connection stands: the request cannot have been read. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

/** Returns true for an error of `fetch`, or one around it, by which nothing was sent. */
export function neverSent(error: unknown): boolean {
  const { code, cause } = Object(error) as { readonly code?: unknown; readonly cause?: unknown }
  return (
    NEVER_SENT.includes(code as string) ||
    String(code).startsWith('PROXY_') ||
    (cause !== undefined && neverSent(cause))
  )
}
