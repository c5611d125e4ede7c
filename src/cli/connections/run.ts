import { setTimeout as sleep } from 'node:timers/promises'
import type { ConnectionList, ConnectionView } from '../../protocol/connections.js'
import type { Answer } from '../../client/index.js'
import { openBrowser } from '../login/browser.js'
import { show, type ConnectionOptions } from '../service/connection.js'
import { askInRole, serviceAnswer } from '../service/operator-request.js'
import { CliError, type ExitCode } from '../shared/errors/cli-error.js'
import { isTerminal, printError } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'

export interface AccountsOptions extends ConnectionOptions {
  readonly all?: true
  readonly principal?: string
  readonly upstream?: string
}

export interface ConnectAccountOptions extends ConnectionOptions {
  readonly browser: boolean
}

/** `svc connections list`. */
export function listConnections(options: AccountsOptions): Promise<ExitCode> {
  const { all, principal, upstream } = options
  if (all === undefined && (principal !== undefined || upstream !== undefined))
    throw new CliError('--principal and --upstream select among the accounts of everybody: add --all.')
  const asked = all === true ? 'operator_connections' : 'connections'
  return askInRole<ConnectionList>(options, { operation: asked, query: { principal, upstream } }, (list) =>
    [...list.connections.map((each) => lineOf(each, all === true)), ...openLines(list, all === true)].join('\n'),
  )
}

const lineOf = (connection: ConnectionView, withPerson: boolean): string => {
  const { connection_id, person, upstream, account = '', state, ended_because, wanted, connected_at } = connection
  const why = ended_because === undefined ? '' : ` (${ended_because})`
  const more = wanted === undefined ? '' : `, asks for more: ${wanted.join(' ')}`
  const who = withPerson ? `  ${person}` : ''
  return printable(`${connection_id}${who}  ${upstream}  ${account}  ${state}${why}${more}  since ${connected_at}`)
}

/** Upstream systems without an account of the caller. */
function openLines({ connections, upstreams }: ConnectionList, isOfAll: boolean): readonly string[] {
  if (isOfAll) return [`${connections.length} accounts.`]
  const open = upstreams.filter(({ upstream }) => connections.every((each) => each.upstream !== upstream))
  return open.map(({ upstream, title }) => printable(`${title} is not connected: svc connections connect ${upstream}`))
}

const WITHIN_MS = 10 * 60_000
const LOOK_AGAIN_MS = 1_000

/** `svc connections connect`: the person consents in the console, whose session asks; nothing comes back here. */
export async function connectAccount(upstream: string, options: ConnectAccountOptions): Promise<ExitCode> {
  const first = await serviceAnswer<ConnectionList>(options, { operation: 'connections' })
  if (!first.success) return show(Promise.resolve(first), options, () => '')
  const found = first.result.upstreams.find((each) => each.upstream === upstream)
  const url = found?.connection_url
  if (found === undefined)
    throw new CliError(`There is no upstream system ${upstream}. List them: svc connections list`)
  if (url === undefined) throw new CliError('The service has no console, in which people connect accounts.')
  printError(`Connect your account at ${printable(url)}\n`)
  if (options.browser && isTerminal()) openBrowser(url)
  const former = connectionIn(first.result, upstream)
  return show(connectedSince(options, upstream, former), options, lineOfConnected)
}

const lineOfConnected = ({ upstream, account = 'An account' }: ConnectionView): string =>
  printable(`${account} is connected at ${upstream}.`)

const connectionIn = ({ connections }: ConnectionList, upstream: string): ConnectionView | undefined =>
  connections.find((each) => each.upstream === upstream)

async function connectedSince(
  options: ConnectionOptions,
  upstream: string,
  former: ConnectionView | undefined,
): Promise<Answer<ConnectionView>> {
  for (const until = performance.now() + WITHIN_MS; performance.now() < until; await sleep(LOOK_AGAIN_MS)) {
    const answer = await serviceAnswer<ConnectionList>(options, { operation: 'connections' })
    if (!answer.success) return answer as Answer<never>
    const now = connectionIn(answer.result, upstream)
    if (now !== undefined && now.connection_id !== former?.connection_id)
      return { success: true, result: now } as Answer<ConnectionView>
  }
  throw new CliError('Nobody connected the account within 10 minutes. Run svc connections connect again.')
}

/** `svc connections disconnect`. */
export const disconnectAccount = (id: string, options: ConnectionOptions): Promise<ExitCode> =>
  askInRole<ConnectionView>(options, { operation: 'connection_disconnect', segments: { id } }, ({ upstream, person }) =>
    printable(`The account of ${person} at ${upstream} is disconnected.`),
  )
