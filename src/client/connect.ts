import { issueToken } from './delegate.js'
import {
  approvalsOf,
  auditOf,
  checkpointsOf,
  discoveryOf,
  permissionsOf,
  revoke,
  type Delegation,
  type Governance,
} from './governance.js'
import type { AnyOutcome, CallOptions, Registration } from './invoke.js'
import { verifiedManifest } from './manifest.js'
import { resume, withPending } from './pending.js'
import { call, stream, type Streaming } from './stream.js'
import type { Connection, Credential } from './transport.js'

export interface ClientOptions {
  /** Where the service is, without a path: `https://flights.example`. */
  readonly baseUrl: string
  /** An API key, an identity provider's token or a delegation token; or what gives one for each request. */
  readonly credential?: Credential
  /** Another `fetch`, for tests and proxies. */
  readonly fetch?: typeof globalThis.fetch
  /** How often a call is repeated when that is safe and may help; 2 when absent, 0 for never. */
  readonly retries?: number
  /** The longest answer that is read, and the longest event of a stream; 64 MiB when absent. A longer one is a `TransportError`. */
  readonly maxAnswerBytes?: number
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024

/** Options of a call that may need an approval. */
export interface MethodOptions extends CallOptions {
  /** Wait for the approver by long-poll, then continue. Without it, `approval_required` is an outcome like any other. */
  readonly approval?: 'wait'
}

/** Method -> capability, for each method of a client that is not governance. */
export type Registry<Client extends Governance<Client>> = {
  readonly [method in Exclude<keyof Client, keyof Governance<Client> | 'streaming'>]: Registration
}

/** Makes a client of the generated methods; `manifestKeys` are the ids of the keys that `svc.lock.json` pins. */
export function connect<Client extends Governance<Client>>(
  options: ClientOptions,
  registry: Registry<Client>,
  manifestKeys: readonly string[] = [],
): Client {
  if (!/^https?:\/\//u.test(options.baseUrl) || !URL.canParse(options.baseUrl))
    throw new TypeError(
      `The baseUrl ${JSON.stringify(options.baseUrl)} is not an address such as http://127.0.0.1:4100.`,
    )
  const maxAnswerBytes = options.maxAnswerBytes ?? MAX_ANSWER_BYTES
  if (typeof maxAnswerBytes !== 'number' || !(maxAnswerBytes > 0))
    throw new TypeError(`maxAnswerBytes is ${String(maxAnswerBytes)}; it is a number of bytes, such as 1048576.`)
  const connection: Connection = {
    baseUrl: options.baseUrl.replace(/\/+$/u, ''),
    credential: options.credential,
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    retries: options.retries,
    maxAnswerBytes,
    manifestKeys,
  }
  return clientOf(connection, registry)
}

function clientOf<Client extends Governance<Client>>(connection: Connection, registry: Registry<Client>): Client {
  const governance: Governance<Client> = {
    delegate: (request) => delegated(connection, registry, request),
    revoke: (tokenId) => revoke(connection, tokenId),
    permissions: () => permissionsOf(connection),
    audit: (filter) => auditOf(connection, filter),
    discovery: () => discoveryOf(connection),
    manifest: (options = {}) => verifiedManifest(connection, options),
    resume: (pending, options = {}) => resume(connection, pending, options),
    approvals: approvalsOf(connection),
    checkpoints: checkpointsOf(connection),
  }
  const client: object = {
    ...methodsOf(connection, registry),
    ...governance,
    streaming: streamsOf(connection, registry),
  }
  return client as Client
}

async function delegated<Client extends Governance<Client>>(
  connection: Connection,
  registry: Registry<Client>,
  request: Parameters<Governance<Client>['delegate']>[0],
): Promise<Delegation<Client>> {
  const answer = await issueToken(connection, request)
  if (!answer.success) return answer
  const client = clientOf({ ...connection, credential: answer.result.token }, registry)
  return { success: true, token: answer.result, client }
}

type Method = (parameters?: object, options?: MethodOptions) => Promise<AnyOutcome>
type StreamingMethod = (parameters?: object, options?: CallOptions) => Streaming<AnyOutcome>
type Registrations = { readonly [method: string]: Registration }

const methodsOf = (connection: Connection, registry: Registrations): { readonly [method: string]: Method } =>
  mapped(registry, (registration) => async (parameters = {}, { approval, ...options } = {}) => {
    const first = withPending(
      registration,
      parameters,
      options,
      await call(connection, registration, parameters, options),
    )
    const pending = first.success || !('pending' in first.failure) ? undefined : first.failure.pending
    if (approval !== 'wait' || pending === undefined) return first
    return resume(connection, pending, options.signal === undefined ? {} : { signal: options.signal })
  })

const streamsOf = (connection: Connection, registry: Registrations): { readonly [method: string]: StreamingMethod } =>
  mapped(
    Object.fromEntries(Object.entries(registry).filter(([, { streams }]) => streams === true)),
    (registration) =>
      (parameters = {}, options = {}) =>
        stream(connection, registration, parameters, options, (outcome) =>
          withPending(registration, parameters, options, outcome),
        ),
  )

const mapped = <Made>(
  registry: Registrations,
  make: (registration: Registration) => Made,
): { readonly [method: string]: Made } =>
  Object.fromEntries(Object.entries(registry).map(([method, registration]) => [method, make(registration)]))
