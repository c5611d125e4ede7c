/**
 * The client over the standard streams of a service's process: JSON-RPC 2.0, one message a line (decisions, section 8).
 * Imports nothing.
 */
import type { ENDPOINTS } from '../protocol/endpoints.js'

/** A process that serves over stdio, as `spawn` of Node gives one. */
export interface ServiceProcess {
  readonly stdin: { write(text: string): unknown }
  readonly stdout: AsyncIterable<Uint8Array | string>
}

type Rows = typeof ENDPOINTS
type OverStdio = {
  readonly [operation in keyof Rows as Rows[operation] extends { readonly rpc: string } ? operation : never]: {
    readonly method: Rows[operation]['method']
    readonly path: Rows[operation]['path']
    readonly rpc: Rows[operation] extends { readonly rpc: infer Method } ? Method : never
  }
}

/** Operations available over stdio; the compiler checks them against the table of endpoints. */
// prettier-ignore
const METHODS: OverStdio = {
  discovery:         { method: 'GET',  path: '/.well-known/svc',                     rpc: 'svc.discovery' },
  jwks:              { method: 'GET',  path: '/.well-known/jwks.json',               rpc: 'svc.jwks' },
  manifest:          { method: 'GET',  path: '/svc/manifest',                        rpc: 'svc.manifest' },
  tools:             { method: 'GET',  path: '/tools.json',                          rpc: 'svc.tools' },
  tokens:            { method: 'POST', path: '/svc/tokens',                          rpc: 'svc.tokens.issue' },
  revoke:            { method: 'POST', path: '/svc/tokens/revoke',                   rpc: 'svc.tokens.revoke' },
  permissions:       { method: 'POST', path: '/svc/permissions',                     rpc: 'svc.permissions' },
  invoke:            { method: 'POST', path: '/svc/invoke/{capability}',             rpc: 'svc.invoke' },
  approval_list:     { method: 'GET',  path: '/svc/approval_requests',               rpc: 'svc.approval_requests.list' },
  approval_read:     { method: 'GET',  path: '/svc/approval_requests/{id}',          rpc: 'svc.approval_requests.get' },
  approval_deny:     { method: 'POST', path: '/svc/approval_requests/{id}/deny',     rpc: 'svc.approval_requests.deny' },
  approval_withdraw: { method: 'POST', path: '/svc/approval_requests/{id}/withdraw', rpc: 'svc.approval_requests.withdraw' },
  approval_grants:   { method: 'POST', path: '/svc/approval_grants',                 rpc: 'svc.approval_grants.issue' },
  approval_grant_revoke: { method: 'POST', path: '/-/approval_grants/{id}/revoke',   rpc: 'svc.approval_grants.revoke' },
  audit:             { method: 'POST', path: '/svc/audit',                           rpc: 'svc.audit.query' },
  checkpoints:       { method: 'GET',  path: '/svc/checkpoints',                     rpc: 'svc.checkpoints.list' },
  checkpoint:        { method: 'GET',  path: '/svc/checkpoints/{id}',                rpc: 'svc.checkpoints.get' },
  graph:             { method: 'GET',  path: '/svc/graph/{capability}',              rpc: 'svc.graph' },
}

interface Message {
  readonly id?: number | null
  readonly result?: unknown
  readonly error?: { readonly data?: { readonly [name: string]: unknown } }
  readonly method?: string
  readonly params?: { readonly [name: string]: unknown }
}

/** Request that waits for its response. */
interface Waiting {
  progress(params: { readonly [name: string]: unknown }): void
  done(message: Message, line: string): void
  fail(error: Error): void
}

/**
 * Options of a client that speaks to a service over the streams of its process: `createClient({ ...overStdio(child),
 * credential })`. Once for each process: delegated clients share it. When the process ends, what waits fails with a
 * transport error.
 */
export function overStdio(process: ServiceProcess): {
  readonly baseUrl: string
  readonly fetch: typeof globalThis.fetch
} {
  const waiting = new Map<number, Waiting>()
  let ended: Error | undefined
  let last = 0
  const end = (error: Error): void => {
    ended = error
    for (const each of waiting.values()) each.fail(error)
    waiting.clear()
  }
  void readLines(process.stdout, (line) => dispatch(waiting, line)).then(
    () => end(new Error('the process of the service has ended')),
    end,
  )
  const fetch: typeof globalThis.fetch = (input, init = {}) =>
    new Promise((resolve, reject) => {
      const signal = init.signal ?? undefined
      if (ended !== undefined) return reject(ended)
      if (signal?.aborted === true) return reject(signal.reason as Error)
      const id = ++last
      const leave = (): void => {
        waiting.get(id)?.fail(signal?.reason as Error)
        waiting.delete(id)
      }
      signal?.addEventListener('abort', leave, { once: true })
      const clear = (): void => signal?.removeEventListener('abort', leave)
      waiting.set(id, waitingFor(resolve, reject, clear))
      const asked = requestOf(new URL(input instanceof Request ? input.url : input), init)
      process.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...asked })}\n`)
    })
  return { baseUrl: 'http://stdio.localhost', fetch }
}

function requestOf(url: URL, init: RequestInit): { readonly method: string; readonly params: object } {
  const headers = new Headers(init.headers)
  const [, bearer] = /^Bearer (.*)$/u.exec(headers.get('Authorization') ?? '') ?? []
  const key = headers.get('Idempotency-Key')
  const { rpc, segments } = routeOf(init.method ?? 'GET', url.pathname)
  const body = typeof init.body === 'string' ? (JSON.parse(init.body) as object) : {}
  const beside = {
    ...(bearer !== undefined && { auth: { bearer } }),
    ...(key !== null && { idempotency_key: key }),
  }
  return { method: rpc, params: { ...body, ...Object.fromEntries(url.searchParams), ...segments, ...beside } }
}

/** The method of a path; what is not done over stdio is asked for by its path, and refused as unknown. */
function routeOf(method: string, path: string): { readonly rpc: string; readonly segments: object } {
  for (const row of Object.values(METHODS)) {
    const [before = '', name, after = ''] = row.path.split(/[{}]/u)
    if (row.method !== method || (name === undefined && path !== before)) continue
    if (name === undefined) return { rpc: row.rpc, segments: {} }
    const segment =
      path.startsWith(before) && path.endsWith(after) ? path.slice(before.length, path.length - after.length) : '/'
    if (!segment.includes('/')) return { rpc: row.rpc, segments: { [name]: decodeURIComponent(segment) } }
  }
  return { rpc: `${method} ${path}`, segments: {} }
}

function dispatch(waiting: Map<number, Waiting>, line: string): void {
  const message = messageIn(line)
  const id = message.method === 'svc.progress' ? message.params?.['id'] : message.id
  const each = typeof id === 'number' ? waiting.get(id) : undefined
  if (each === undefined) return
  if (message.method === 'svc.progress') return each.progress(message.params ?? {})
  waiting.delete(id as number)
  try {
    each.done(message, line)
  } catch {
    each.fail(new Error('the service wrote an answer that is none of the interface'))
  }
}

/** Parses a line. After one line that is no message, nothing later can be trusted: every waiting request fails. */
function messageIn(line: string): Message {
  try {
    const message: unknown = JSON.parse(line)
    if (typeof message === 'object' && message !== null && !Array.isArray(message)) return message as Message
  } catch {
    // Told below.
  }
  throw new Error('the service wrote a line that is no message of JSON-RPC')
}

/** Gives a plain response, or, once progress has come, one that streams events as over HTTP. */
function waitingFor(resolve: (response: Response) => void, reject: (error: Error) => void, clear: () => void): Waiting {
  let events: ReadableStreamDefaultController<Uint8Array> | undefined
  /** Events wait for their reader, up to a bound; whoever left is told nothing. */
  const put = (event: string, data: unknown): void => {
    if (events === undefined || events.desiredSize === null) return
    if (events.desiredSize <= 0) return events.error(new Error('the service wrote more events than anybody read'))
    events.enqueue(new TextEncoder().encode(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`))
  }
  return {
    progress({ id: _, ...data }) {
      if (events === undefined) {
        const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => void (events = controller)
        const body = new ReadableStream<Uint8Array>({ start }, new ByteLengthQueuingStrategy({ highWaterMark: LONGEST_LINE })) // prettier-ignore
        resolve(new Response(body, { headers: { 'Content-Type': 'text/event-stream' } }))
      }
      put('progress', data)
    },
    done(message, line) {
      clear()
      if (events === undefined) return resolve(responseOf(message, line))
      put(message.error === undefined ? 'completed' : 'failed', message.result ?? failedBody(message))
      events.close()
    },
    fail(error) {
      clear()
      if (events === undefined) reject(error)
      else events.error(error)
    },
  }
}

function responseOf(message: Message, line: string): Response {
  if (message.error !== undefined) {
    const wait = message.error.data?.['retry_after']
    const headers = typeof wait === 'number' ? { 'Retry-After': String(wait) } : {}
    return Response.json(failedBody(message), { status: 400, headers })
  }
  const { result } = message
  const signature = isSigned(result) ? result.signature : undefined
  if (signature === undefined) return Response.json(result)
  // The signature is over the very bytes, so they are taken from the line.
  const bytes = line.slice(line.indexOf('{"manifest":') + 12, line.lastIndexOf(',"signature":'))
  return new Response(bytes, { headers: { 'X-SVC-Signature': signature } })
}

const isSigned = (result: unknown): result is { readonly signature: string } =>
  typeof result === 'object' && result !== null && 'manifest' in result && 'signature' in result

/** Members of an envelope beside its failure; over stdio they are members of the failure. */
const OF_THE_ENVELOPE = [
  'invocation_id', 'client_reference_id', 'task_id', 'parent_invocation_id', 'upstream_service', 'cost_actual', 'budget_context',
  'stream_summary', 'timestamp', 'retry_after',
] // prettier-ignore

function failedBody({ error }: Message): object {
  const entries = Object.entries(error?.data ?? {})
  const isBeside = ([name]: readonly [string, unknown]): boolean => OF_THE_ENVELOPE.includes(name)
  const failure = Object.fromEntries(entries.filter((entry) => !isBeside(entry)))
  return { success: false, ...Object.fromEntries(entries.filter(isBeside)), failure }
}

/** A service that writes more without a line end is none. */
const LONGEST_LINE = 64 * 1024 * 1024

async function readLines(stream: AsyncIterable<Uint8Array | string>, take: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder()
  let begun: string[] = []
  let length = 0
  for await (const part of stream) {
    const text = typeof part === 'string' ? part : decoder.decode(part, { stream: true })
    length += text.length
    if (length > LONGEST_LINE) throw new Error('the service wrote a line of more than 64 MiB')
    if (!text.includes('\n')) {
      begun.push(text)
      continue
    }
    const lines = `${begun.join('')}${text}`.split('\n')
    const rest = lines.pop() ?? ''
    ;[begun, length] = [[rest], rest.length]
    for (const line of lines) if (line.trim() !== '') take(line)
  }
}
