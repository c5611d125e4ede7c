/** Sessions with an MCP server: one for all callers, or one for each person whose account is used. */
import type { UpstreamAccount } from '../../definition.js'
import type { AnswerForm } from './asked-forms.js'
import { Unreachable, type McpChannel } from './channel.js'
import { childChannel } from './child.js'
import { containerChannel } from './container.js'
import { httpChannel, type Asking } from './http-channel.js'
import type { Environment, PinnedUpstream } from './pinned.js'
import { refusedPermission } from './refused-permission.js'
import { listUpstreamTools, upstreamToolDigest } from './session.js'

interface Live {
  readonly channel: McpChannel
  /** Digests of the tools as the server has them now. */
  digests: ReadonlyMap<string, string>
  seenAt: number
}

/** After that long the tools are looked at again, whether or not the server has said that they changed. */
const LOOK_AGAIN_MS = 60_000
/** Sessions of people that are kept; those that were begun longest ago are closed once they rest. */
const MOST_SESSIONS = 200
/** No call is under way that long. */
const RESTS_AFTER_MS = 15 * 60_000

interface Session {
  readonly current: (signal: AbortSignal) => Promise<Live>
  readonly close: () => void
  /** Account of the last call: always the same person's. */
  account?: UpstreamAccount | undefined
  usedAt: number
}

/** Returns a function that gives the session of a person; of all callers without an account. */
export function sessionsWith(pinned: PinnedUpstream, environment: () => Environment, answer: AnswerForm | undefined) {
  const sessions = new Map<string, Session>()
  const made = (person: string): Session => {
    closeResting(sessions)
    const session: Session = {
      usedAt: 0,
      ...pinnedSession(pinned, () => ({
        environment: environment(),
        answer,
        ...(session.account && { account: () => session.account! }),
      })),
    }
    sessions.set(person, session)
    return session
  }
  return (account: UpstreamAccount | undefined, signal: AbortSignal): Promise<Live> => {
    const person = account?.person ?? ''
    const session = sessions.get(person) ?? made(person)
    sessions.delete(person)
    sessions.set(person, Object.assign(session, { account, usedAt: performance.now() }))
    return session.current(signal)
  }
}

function closeResting(sessions: Map<string, Session>): void {
  for (const [person, { usedAt, close }] of sessions) {
    if (sessions.size < MOST_SESSIONS || performance.now() - usedAt < RESTS_AFTER_MS) return
    sessions.delete(person)
    close()
  }
}

function pinnedSession(pinned: PinnedUpstream, how: () => Asking & { readonly environment: Environment }) {
  let live: Promise<Live> | undefined
  let changed = false
  const current = async (signal: AbortSignal): Promise<Live> => {
    const before = live
    const there = await before?.catch(() => undefined)
    // Calls that wait together begin one session.
    if (live === before && (there === undefined || there.channel.isClosed()))
      live = begin(pinned, how(), signal, () => (changed = true))
    const now = await live!
    if (changed || performance.now() - now.seenAt > LOOK_AGAIN_MS) {
      changed = false
      const digests = await digestsOf(now.channel, signal).catch((error: unknown) => {
        changed = true // still not looked at
        throw error
      })
      Object.assign(now, { digests, seenAt: performance.now() })
    }
    return now
  }
  return { current, close: () => void live?.then(({ channel }) => channel.close()).catch(() => undefined) }
}

/** A session with the server, whatever way leads to it. */
export function openMcpChannel(
  { server }: Pick<PinnedUpstream, 'server'>,
  environment: Environment,
  onNotice: (method: string) => void,
  asking?: Asking,
): McpChannel {
  if ('url' in server) return httpChannel(server, environment[server.credential], onNotice, asking)
  return 'image' in server
    ? containerChannel(server, environment, onNotice)
    : childChannel(server, environment, onNotice)
}

async function begin(
  pinned: PinnedUpstream,
  { environment, ...asking }: Asking & { readonly environment: Environment },
  signal: AbortSignal,
  onChange: () => void,
): Promise<Live> {
  const onNotice = (method: string): void => {
    if (method === 'notifications/tools/list_changed') onChange()
  }
  const channel = openMcpChannel(pinned, environment, onNotice, asking)
  try {
    await channel.begin(signal)
    channel.release()
    return { channel, digests: await digestsOf(channel, signal), seenAt: performance.now() }
  } catch (error) {
    channel.close()
    throw await withRefusal(pinned, error, channel)
  }
}

/** Errors of a process may come after its end. */
const ERRORS_WITHIN_MS = 200

/** An error with the permission that a child was refused, if the child says so; whoever calls learns no path. */
async function withRefusal({ server }: PinnedUpstream, error: unknown, { said }: McpChannel): Promise<unknown> {
  if (!(error instanceof Unreachable) || said === undefined) return error
  await new Promise((done) => setTimeout(done, ERRORS_WITHIN_MS))
  const refused = refusedPermission(server, said().replaceAll(/'\/[^'\n]*'/gu, "'PATH'"))
  return refused === '' ? error : new Unreachable(`${error.message} ${refused}`, error.sent)
}

const digestsOf = async (channel: McpChannel, signal: AbortSignal): Promise<ReadonlyMap<string, string>> =>
  new Map((await listUpstreamTools(channel, signal)).map((tool) => [tool.name, upstreamToolDigest(tool)]))
