/** The failure of a call that needs an account which its person has not connected (decisions, section 19). */
import type { ConnectionEnd } from '../../protocol/connections.js'
import { upstreamTermsOf } from '../../protocol/upstream-terms.js'
import { failure, type Failure } from '../../protocol/failures.js'
import type { Capability } from '../../protocol/manifest.js'
import { foldOf } from '../../protocol/fold.js'
import { classOf, type Principal } from '../../protocol/principals.js'
import type { Token } from '../auth/token.js'
import { present } from '../json/present.js'
import type { Service } from '../service.js'
import type { KeptConnection } from '../storage/contract.js'
import { connectionTokensOf } from './kept-connection.js'
import { connectionSettings, hasConnections, type ConnectionSettings } from './settings.js'

/** Account that a call lacks. */
export interface MissingConnection {
  readonly title: string
  readonly person: Principal
  /** Scopes that the upstream system wants besides. */
  readonly wanted: readonly string[]
  /** End of the connection that was there. */
  readonly because?: ConnectionEnd | undefined
  /** Page where the person connects, if a console is served. */
  readonly url: string | undefined
  /** Another person on the way from the root to the caller. */
  readonly other?: Principal | undefined
}

/** Principals that are people: they alone have accounts of their own. */
const isPerson = (principal: Principal): boolean => ['human', 'oidc'].includes(classOf(principal))

/** Tokens from the root to the caller. */
export type CallerChain = Pick<Token, 'claims' | 'chain'>

/** Finds another person to whom the call was delegated: an account is used by its person's agents alone (threat N37). */
export const otherPerson = ({ claims, chain }: CallerChain): Principal | undefined =>
  chain.map((link) => link.claims.sub).find((sub) => isPerson(sub) && foldOf(sub) !== foldOf(claims.root_principal))

/** Returns the failure: a person can connect, and the very same call then succeeds; nobody can for a service. */
export function connectionRequired({ title, person, wanted, because, url, other }: MissingConnection): Failure {
  const nobody = (detail: string): Failure => ({
    ...failure('connection_required', detail, { action: 'contact_service_owner' }),
    retry: false,
  })
  if (!isPerson(person)) return nobody(`${title} is used by accounts of people, and ${person} is none.`)
  if (other !== undefined)
    return nobody(`${other} acts for ${person}, whose account at ${title} is for nobody else: use a token of your own.`)
  const ended = because === undefined ? '' : `: ${ENDED[because]}`
  const more = wanted.length === 0 ? '' : ` It asks for more: ${wanted.join(' ')}.`
  const where = url === undefined ? '' : ` Open connection_url as ${person}, and make the call again.`
  const detail = `The account of ${person} at ${title} is not connected${ended}.${more}${where}`
  return failure('connection_required', detail, present({ connection_url: url }))
}

const ENDED: { readonly [because in ConnectionEnd]: string } = {
  disconnected: 'it was disconnected',
  blocked: 'it ended with a block',
  refused_upstream: 'the access was refused there',
  interrupted: 'its renewal was cut off',
  key_lost: 'the key that encrypted it is gone',
  expired: 'its access has expired',
}

/** Upstream systems that a call uses in its person's account, those of its steps included. */
export const connectionsOf = (capabilities: readonly Capability[]): readonly string[] => [
  ...new Set(capabilities.flatMap((each) => upstreamTermsOf(each)?.connection ?? [])),
]

/** Returns the settings of an upstream system whose people have accounts of their own there. */
export const personalSettings = (upstream: string): ConnectionSettings | undefined =>
  hasConnections(upstream) ? connectionSettings(upstream) : undefined

/** Returns what a call lacks; undefined if each account that it uses is connected. */
export async function missingConnection(
  service: Service,
  capabilities: readonly Capability[],
  token: CallerChain,
): Promise<MissingConnection | undefined> {
  const [person, other] = [token.claims.root_principal, otherPerson(token)]
  for (const upstream of connectionsOf(capabilities)) {
    const settings = personalSettings(upstream)
    if (settings === undefined) continue
    const kept = await service.storage.connections.of(person, upstream)
    const because = endOf(service, kept)
    if (other !== undefined || kept === undefined || because !== undefined)
      return missingAt(service, { upstream, token, settings, because })
  }
  return undefined
}

/** Returns why a connection is of no use: it has ended, or the key that encrypted its tokens is gone. */
export const endOf = (service: Service, kept: KeptConnection | undefined): ConnectionEnd | undefined => {
  if (kept === undefined) return undefined
  if (kept.state === 'ended') return kept.ended_because ?? 'disconnected'
  return connectionTokensOf(service, kept) === undefined ? 'key_lost' : undefined
}

/** Holds once all accounts that a call uses are connected, with the scopes that the upstream systems ask for. */
export async function isConnected(
  service: Service,
  capabilities: readonly Capability[],
  token: CallerChain,
): Promise<boolean> {
  if ((await missingConnection(service, capabilities, token)) !== undefined) return false
  const { connections } = service.storage
  const person = token.claims.root_principal
  const kept = await Promise.all(connectionsOf(capabilities).map((upstream) => connections.of(person, upstream)))
  return kept.every((each) => (each?.wanted ?? []).length === 0)
}

interface MissingAt {
  readonly upstream: string
  readonly token: CallerChain
  readonly settings: ConnectionSettings
  readonly because?: ConnectionEnd | undefined
  readonly wanted?: readonly string[]
}

/** Returns the account that is missing at one upstream system. */
export const missingAt = (
  { pages }: Service,
  { upstream, token, settings, because, wanted = [] }: MissingAt,
): MissingConnection => ({
  title: settings.title ?? upstream,
  person: token.claims.root_principal,
  other: otherPerson(token),
  wanted,
  because,
  url: pages.connection?.(upstream),
})
