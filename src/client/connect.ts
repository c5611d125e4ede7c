import { issueToken } from './delegate.js'
import {
  approvalsOf,
  auditOf,
  checkpointsOf,
  readDiscovery,
  readPermissions,
  requestRevocation,
  type Delegation,
  type Governance,
} from './governance.js'
import { usableAddress } from './base-url.js'
import type { AnyOutcome, CallOptions, MethodOptions, Registration } from './invoke.js'
import { verifiedManifest } from './manifest.js'
import type { PendingCall, WaitOptions } from './pending-call.js'
import { resume, resumeOf, withPending } from './pending.js'
import { call, stream, type Streaming } from './stream.js'
import { TransportError, type Connection, type Credential } from './transport.js'

export interface ClientOptions {
  /** Address of the service: `https://flights.example`, or with its path, `https://shop.example/agents`. */
  readonly baseUrl: string
  /** An API key, an identity provider's token or a delegation token; or what gives one for each request. */
  readonly credential?: Credential
  /** Another `fetch`, for tests and proxies. */
  readonly fetch?: typeof globalThis.fetch
  /** Retries of a call that is safe to repeat; 2 if absent, 0 for none. */
  readonly retries?: number
  /**
   * The longest answer that is read, and the longest event of a stream; 64 MiB when absent. A longer one is a
   * `TransportError`.
   */
  readonly maxAnswerBytes?: number
  /**
   * ms that an attempt may take, and a stream between two events; 30,000 when absent, Infinity for no limit. Waits for
   * approvers are longer.
   */
  readonly timeoutMs?: number
  /** The longest stream that is followed; 256 MiB when absent. A longer one is a `TransportError`. */
  readonly maxStreamBytes?: number
  /** ms that a whole stream may take, however much it says; 900,000 when absent, Infinity for no limit. */
  readonly streamTimeoutMs?: number
  /** Sends the credential over `http:` to a host that is not this machine; refused when absent. */
  readonly insecureHttp?: boolean
}

/** The limits of a client: what each is when absent, and in which words a wrong one is refused. */
const LIMITS = {
  maxAnswerBytes: { absent: 64 * 1024 * 1024, is: 'a number of bytes, such as 1048576' },
  maxStreamBytes: { absent: 256 * 1024 * 1024, is: 'a number of bytes, such as 1048576' },
  timeoutMs: { absent: 30_000, is: 'a number of ms, such as 30000, or Infinity' },
  streamTimeoutMs: { absent: 900_000, is: 'a number of ms, such as 30000, or Infinity' },
} as const

function limitIn(options: ClientOptions, name: keyof typeof LIMITS): number {
  const { absent, is } = LIMITS[name]
  const limit = options[name] ?? absent
  if (typeof limit === 'number' && limit > 0) return limit
  throw new TypeError(`${name} is ${String(limit)}; it is ${is}.`)
}

/** A method that may need an approval. */
export interface ApprovableCall<Parameters, Outcome> {
  (...given: Given<Parameters>): Promise<Outcome>
  /** Continues such a call if it was approved, also after a restart; `{ wait: true }` waits for the decision first. */
  resume(pending: PendingCall, options?: WaitOptions): Promise<Outcome>
}

/** Parameters of which none is demanded may be left out. */
type Given<Parameters> = object extends Parameters
  ? [parameters?: Parameters, options?: MethodOptions]
  : [parameters: Parameters, options?: MethodOptions]

/** Method -> capability, for each method of a client that is not governance. */
export type Registry<Client extends Governance<Client>> = {
  readonly [method in Exclude<keyof Client, keyof Governance<Client> | 'streaming'>]: Registration
}

/**
 * Makes a client of the generated methods; `manifestKeys` are the ids of the keys that `svc.lock.json` pins.
 *
 * @example
 * // The generated createClient calls it, with the methods of the manifest:
 * const client = connect<Client>({ baseUrl, credential }, { getStatus: { capability: 'get_status', effect: 'read' } })
 * const outcome = await client.getStatus()
 * if (!outcome.success) console.error(outcome.failure.type, outcome.failure.resolution.action)
 */
export function connect<Client extends Governance<Client>>(
  options: ClientOptions,
  registry: Registry<Client>,
  manifestKeys: readonly string[] = [],
): Client {
  const { insecureHttp = false } = options
  const connection: Connection = {
    baseUrl: usableAddress(options.baseUrl, options.credential !== undefined, insecureHttp),
    credential: options.credential,
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
    retries: options.retries,
    maxAnswerBytes: limitIn(options, 'maxAnswerBytes'),
    maxStreamBytes: limitIn(options, 'maxStreamBytes'),
    timeoutMs: limitIn(options, 'timeoutMs'),
    streamTimeoutMs: limitIn(options, 'streamTimeoutMs'),
    manifestKeys,
  }
  return clientOf(connection, registry)
}

function clientOf<Client extends Governance<Client>>(connection: Connection, registry: Registry<Client>): Client {
  const governance: Governance<Client> = {
    delegate: (request) => delegated(connection, registry, request),
    revoke: (tokenId) => requestRevocation(connection, tokenId),
    permissions: () => readPermissions(connection),
    audit: (filter) => auditOf(connection, filter),
    discovery: () => readDiscovery(connection),
    manifest: (options = {}) => verifiedManifest(connection, options),
    invoke: (capability, parameters = {}, options = {}) =>
      callMethod(connection, registrationOf(registry, capability), parameters, options),
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

type Method = ApprovableCall<object, AnyOutcome>
type StreamingMethod = (parameters?: object, options?: CallOptions) => Streaming<AnyOutcome>
type Registrations = { readonly [method: string]: Registration }

const methodsOf = (connection: Connection, registry: Registrations): { readonly [method: string]: Method } =>
  mapped(registry, (registration) =>
    Object.assign(
      (parameters: object = {}, options: MethodOptions = {}) =>
        callMethod(connection, registration, parameters, options),
      { resume: resumeOf(connection, registration) },
    ),
  )

async function callMethod(
  connection: Connection,
  registration: Registration,
  parameters: object,
  { approval, onPending, ...options }: MethodOptions,
): Promise<AnyOutcome> {
  const outcome = await call(connection, registration, parameters, options)
  const first = withPending(registration, parameters, options, outcome)
  const pending = first.success || !('pending' in first.failure) ? undefined : first.failure.pending
  if (approval !== 'wait' || pending === undefined) return first
  const { signal } = options
  const waits = { wait: true, ...(onPending && { onPending }), ...(signal && { signal }) }
  return resume(connection, pending, waits).catch((error: unknown) => {
    if (signal?.aborted === true) return first
    if (error instanceof TransportError) error.pending = pending
    throw error
  })
}

/** Returns the registration of a capability; an unknown one is assumed to change something. */
const registrationOf = (registry: Registrations, capability: string): Registration =>
  Object.values(registry).find((each) => each.capability === capability) ?? {
    capability,
    effect: 'irreversible',
    approvable: true,
  }

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
