import { generateRing } from '../../crypto/keys/key-ring.js'
import type { ClientOptions, Governance } from '../../client/index.js'
import type { ApprovalGrant, ApprovalRequest } from '../../protocol/approval.js'
import type { TokenRequest } from '../../protocol/token.js'
import type { Authenticate } from '../definition.js'
import { fetchHandler } from '../http/fetch.js'
import type { RuntimeOptions, Service } from '../service.js'
import { openSqlite } from '../storage/sqlite/index.js'
import { denialOf, grantFor, type Terms, type AwaitedRequest } from './approvals.js'
import { testClock, type TestClock } from './clock.js'
import { keptLog, withErrorsPrinted, type LogLine } from './log.js'
import { DEVELOPMENT, entitledAs, type Entitled, type TestPrincipals } from './principals.js'

/**
 * Options of a test: the generated functions, its handlers and hooks, and the callers. Any option of the service may
 * also be given.
 */
export type TestServiceOptions<Options extends RuntimeOptions, Client, Principals extends TestPrincipals> = Omit<
  Options,
  keyof RuntimeOptions
> &
  Partial<RuntimeOptions> & {
    readonly createService: (options: Options) => Promise<Service>
    readonly createClient: (options: ClientOptions) => Client
    /** `developer`, `approver` and `agent` of a scaffold when absent. */
    readonly principals?: Principals
    /** Time at which the clock starts, and stays: RFC 3339 or ms since the epoch; now if absent. */
    readonly now?: string | number
  }

/** A service in memory: real keys, a real store, and a clock of its own. */
export interface TestService<Client, Name extends string> {
  readonly service: Service
  readonly clock: TestClock
  /** Log lines of the service. Its errors are also printed, unless the test gives a `log`. */
  readonly logs: readonly LogLine[]
  /** Answers a request as the served service would. */
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * A client with a fresh root token: with all scopes that the principal is entitled to, unless the request names
   * others.
   */
  readonly client: (as: Name, request?: Partial<TokenRequest>) => Promise<Client>
  /**
   * A client with the bootstrap credential itself, which delegates and decides about approvals, and invokes nothing.
   */
  readonly signedIn: (as: Name) => Client
  /** The bootstrap credential, for requests of a test's own. */
  readonly credential: (as: Name) => string
  /**
   * Approves what a call waits for, as `approver` unless others are named: all of them, where several must approve.
   * Throws where that is refused, or where it is not enough.
   */
  readonly approve: (waiting: AwaitedRequest, terms?: Terms<Name>) => Promise<ApprovalGrant>
  /** Denies what a call waits for, as `approver` unless another is named. Throws where that is refused. */
  readonly deny: (
    waiting: AwaitedRequest,
    answer?: { readonly as?: Name; readonly reason?: string },
  ) => Promise<ApprovalRequest>
  /** Ends the service and its store. */
  readonly close: () => Promise<void>
}

/**
 * Starts a service in memory from what was generated and what its author wrote. Nothing is mocked but the clock,
 * nothing is left on disk, and no environment is read: it runs in CI as it does at home.
 */
export async function testService<
  Options extends RuntimeOptions,
  Client extends Governance<Client>,
  const Principals extends TestPrincipals = typeof DEVELOPMENT,
>(given: TestServiceOptions<Options, Client, Principals>): Promise<TestService<Client, keyof Principals & string>> {
  const { createService, createClient, principals = DEVELOPMENT, now, ...own } = given
  const clock = testClock(now)
  const { log, lines } = keptLog()
  const storage = own.storage ?? (await openSqlite({ file: ':memory:', clock: clock.now }))
  const who = (name: string): Entitled => {
    if (!Object.hasOwn(principals, name)) throw new TypeError(unknownName(name, principals))
    return entitledAs(service.manifest, name, principals[name as keyof typeof principals])
  }
  const authenticate: Authenticate = (bearer) => {
    const name = Object.keys(principals).find((each) => credentialOf(each) === bearer)
    return name === undefined ? own.authenticate?.(bearer) : who(name)
  }
  const runtime = { keys: generateRing(), log: withErrorsPrinted(log), ...own, clock: clock.now, storage, authenticate }
  const service: Service = await createService(runtime as unknown as Options)
  const answer = fetchHandler(service)
  const signedIn = (name: string): Client => {
    who(name)
    const fetch: typeof globalThis.fetch = (...request) => answer(new Request(...request))
    return createClient({ baseUrl: 'https://service.test', credential: credentialOf(name), retries: 0, fetch })
  }
  return {
    service,
    clock,
    logs: lines,
    fetch: (request) => answer(request),
    client: (as, request = {}) => rootClient(signedIn(as), as, { scope: who(as).scopes, ...request }),
    signedIn,
    credential: (as) => (who(as), credentialOf(as)),
    approve: (waiting, { as = 'approver', ...terms } = {}) =>
      grantFor(
        [as].flat().map((name) => signedIn(name).approvals),
        waiting,
        terms,
      ),
    deny: (waiting, { as, reason } = {}) => denialOf(signedIn(as ?? 'approver').approvals, waiting, reason),
    close: async () => {
      await service.close()
      if (own.storage === undefined) await storage.close()
    },
  }
}

/** Returns a principal's credential in a test. The service lives in memory, so it need not be secret. */
const credentialOf = (name: string): string => `test-credential-of-${name}`

const unknownName = (name: string, principals: TestPrincipals): string =>
  `There is no principal ${JSON.stringify(name)} in this test; there are ${Object.keys(principals).join(', ')}.`

async function rootClient<Client extends Governance<Client>>(
  signedIn: Client,
  as: string,
  request: TokenRequest,
): Promise<Client> {
  if (request.scope.length === 0)
    throw new TypeError(
      `${as} is entitled to no scope. Delegate to it: (await client('developer')).delegate({ subject, scope }).`,
    )
  const issued = await signedIn.delegate(request)
  if (issued.success) return issued.client
  throw new Error(`${issued.failure.type}: ${issued.failure.detail}`)
}
