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
import { invokeOnce, type AnyOutcome, type CallOptions, type Registration } from './invoke.js'
import { verifiedManifest } from './manifest.js'
import type { Connection, Credential } from './transport.js'

export interface ClientOptions {
  /** Where the service is, without a path: `https://flights.example`. */
  readonly baseUrl: string
  /** An API key, an identity provider's token or a delegation token; or what gives one for each request. */
  readonly credential?: Credential
  /** Another `fetch`, for tests and proxies. */
  readonly fetch?: typeof globalThis.fetch
}

/** Method -> capability, for each method of a client that is not governance. */
export type Registry<Client extends Governance<Client>> = {
  readonly [method in Exclude<keyof Client, keyof Governance<Client>>]: Registration
}

/** Makes a client of the generated methods. */
export function connect<Client extends Governance<Client>>(options: ClientOptions, registry: Registry<Client>): Client {
  const connection: Connection = {
    baseUrl: options.baseUrl.replace(/\/+$/u, ''),
    credential: options.credential,
    fetch: options.fetch ?? ((...request) => globalThis.fetch(...request)),
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
    approvals: approvalsOf(connection),
    checkpoints: checkpointsOf(connection),
  }
  return { ...methodsOf(connection, registry), ...governance } as Client
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

type Method = (parameters?: object, options?: CallOptions) => Promise<AnyOutcome>

const methodsOf = (
  connection: Connection,
  registry: { readonly [method: string]: Registration },
): { readonly [method: string]: Method } =>
  Object.fromEntries(
    Object.entries(registry).map(([method, registration]) => [
      method,
      (parameters: object = {}, options: CallOptions = {}) => invokeOnce(connection, registration, parameters, options),
    ]),
  )
