/** The failure of a call that needs an account which its person has not connected (decisions, section 19). */
import { upstreamTermsOf } from '../../protocol/upstream-terms.js'
import { failure, type Failure } from '../../protocol/failures.js'
import type { Capability } from '../../protocol/manifest.js'
import { classOf, type Principal } from '../../protocol/principals.js'
import { present } from '../json/present.js'
import type { Service } from '../service.js'
import { connectionSettings, hasConnections, type ConnectionSettings } from './settings.js'

/** Account that a call lacks. */
export interface MissingConnection {
  readonly title: string
  readonly person: Principal
  /** Scopes that the upstream system wants besides. */
  readonly wanted: readonly string[]
  /** Page where the person connects, if a console is served. */
  readonly url: string | undefined
}

/** Principals that are people: they alone have accounts of their own. */
const isPerson = (principal: Principal): boolean => ['human', 'oidc'].includes(classOf(principal))

/** Returns the failure: a person can connect, and the very same call then succeeds; nobody can for a service. */
export function connectionRequired({ title, person, wanted, url }: MissingConnection): Failure {
  if (!isPerson(person)) {
    const detail = `${title} is used by accounts of people, and ${person} is none.`
    return { ...failure('connection_required', detail, { action: 'contact_service_owner' }), retry: false }
  }
  const more = wanted.length === 0 ? '' : ` It asks for more: ${wanted.join(' ')}.`
  const where = url === undefined ? '' : ` Open connection_url as ${person}, and make the call again.`
  const detail = `The account of ${person} at ${title} is not connected.${more}${where}`
  return failure('connection_required', detail, present({ connection_url: url }))
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
  person: Principal,
): Promise<MissingConnection | undefined> {
  for (const upstream of connectionsOf(capabilities)) {
    const settings = personalSettings(upstream)
    if (settings === undefined) continue
    const kept = await service.storage.connections.of(person, upstream)
    if (kept === undefined || kept.state === 'ended') return missingAt(service, upstream, person, settings)
  }
  return undefined
}

/** Returns the account that is missing at one upstream system. */
export const missingAt = (
  { pages }: Service,
  upstream: string,
  person: Principal,
  { title = upstream }: ConnectionSettings,
  wanted: readonly string[] = [],
): MissingConnection => ({ title, person, wanted, url: pages.connection?.(upstream) })
