import {
  connect,
  type AnyOutcome,
  type CallOptions,
  type ClientOptions,
  type Governance,
  type MethodOptions,
  type Streaming,
} from '../../src/client/index.js'

export interface FakeClient extends Governance<FakeClient> {
  read(parameters?: object, options?: MethodOptions): Promise<AnyOutcome>
  readForMoney(parameters?: object, options?: CallOptions): Promise<AnyOutcome>
  pay(parameters?: object, options?: MethodOptions): Promise<AnyOutcome>
  follow(parameters?: object, options?: MethodOptions): Promise<AnyOutcome>
  readonly streaming: {
    [method in 'pay' | 'follow']: (parameters?: object, options?: CallOptions) => Streaming<AnyOutcome>
  }
}

/** A request as the service saw it. */
export interface Seen {
  readonly method: string
  readonly path: string
  readonly headers: { readonly [name: string]: string }
  readonly body: unknown
}

type Answer = Response | Error

/** A client of a service that gives these answers, one after another, and what it saw. */
export function clientOf(answers: readonly Answer[], options: Partial<ClientOptions> = {}) {
  const seen: Seen[] = []
  const left = [...answers]
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init)
    const text = await request.text()
    const { pathname, search } = new URL(request.url)
    seen.push({
      method: request.method,
      path: pathname + search,
      headers: Object.fromEntries(request.headers),
      body: text === '' ? undefined : JSON.parse(text),
    })
    const answer = left.shift()
    if (answer === undefined) throw new Error('The fake service has no more answers.')
    if (answer instanceof Error) throw answer
    return answer
  }
  const client = connect<FakeClient>(
    { baseUrl: 'https://service.test/', credential: 'key', fetch, ...options },
    {
      read: { capability: 'read_it', effect: 'read' },
      readForMoney: { capability: 'read_for_money', effect: 'read', costs: true },
      pay: { capability: 'pay.now', effect: 'write', streams: true },
      follow: { capability: 'follow_it', effect: 'write', streams: true, unary: false },
    },
  )
  return { client, seen }
}

export const json = (status: number, body: unknown, headers: { readonly [name: string]: string } = {}): Response =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } })

export const success = (result: unknown): Response =>
  json(200, { success: true, invocation_id: 'inv-000000000001', result })

/** A failure with the given resolution. */
export const failed = (
  status: number,
  type: string,
  retry: boolean,
  resolution: { action: string; recovery_class: string },
  more: object = {},
) =>
  json(status, {
    success: false,
    invocation_id: 'inv-000000000002',
    failure: { type, detail: 'no', retry, resolution, ...more },
  })

export const unavailable = (headers: { readonly [name: string]: string } = {}): Response =>
  json(
    503,
    {
      success: false,
      failure: {
        type: 'service_unavailable',
        detail: 'no',
        retry: true,
        resolution: { action: 'wait_and_retry', recovery_class: 'wait_then_retry' },
      },
    },
    headers,
  )
