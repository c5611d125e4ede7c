import { isAccount } from '../../protocol/credential.js'
import type { SideEffect } from '../../protocol/manifest.js'
import { connectableUpstreams } from '../../runtime/connections/views.js'
import { jsonResponse } from '../../runtime/http/response.js'
import { present } from '../../runtime/json/present.js'
import { approvableBy, tiersOf } from '../../runtime/approvals/approver.js'
import { csrfOf } from '../session/csrf.js'
import { LIFETIME_MS } from '../session/limits.js'
import { personOf, type Person } from '../session/person.js'
import type { Setting } from '../setting.js'
import { takesKeys } from '../site.js'
import type { ConsoleRoute, Visit } from '../visit.js'

/** Data that a page needs to begin: the service, the person, and the ways to sign in. */
export const meRoutes: readonly ConsoleRoute[] = [
  {
    method: 'GET',
    path: '/api/me',
    anybody: async ({ setting, request }: Visit) => {
      const person = await personOf(setting, request)
      return jsonResponse(
        200,
        JSON.stringify(
          present({ ...aboutService(setting), ...waysIn(setting, request), person: person && about(setting, person) }),
        ),
      )
    },
  },
]

const aboutService = ({ service, origin }: Setting) => ({
  service: service.manifest.service_identity.name ?? service.id,
  host: new URL(origin()).host,
  now: service.now(),
  ...(connectableUpstreams(service).length > 0 && { connects: true as const }),
})

const waysIn = (setting: Setting, request: Visit['request']) => ({
  provider: setting.provider && new URL(setting.provider.issuer).host,
  takes_keys: takesKeys(setting, request),
})

const about = (setting: Setting, { known, cookie, session }: Person) =>
  present({
    principal: known.principal,
    csrf: csrfOf(cookie),
    by: isAccount(session.credential) ? ('provider' as const) : ('key' as const),
    ends_in: LIFETIME_MS - session.age,
    may_approve: decidesAbout(setting, known),
    tiers: tiersOf(setting.service, partyFor(known)),
    effects: effectsOf(setting, decidesAbout(setting, known)),
    caller_classes: known.caller_classes,
    roles: known.roles ?? [],
  })

/**
 * The capabilities that can ask for an approval, themselves or by a step, among those that somebody may decide about.
 */
function decidesAbout({ service }: Setting, known: Person['known']): readonly string[] {
  const party = partyFor(known)
  const [usual, tiers] = [approvableBy(service, party), tiersOf(service, party)]
  return [...service.capabilities].flatMap(([name, { approval, composition }]) => {
    if (approval?.tiers?.some(({ approver_scope }) => tiers.includes(approver_scope)) === true) return [name]
    return usual.includes(name) && (approval !== undefined || composition !== undefined) ? [name] : []
  })
}

/** Returns the effects of these capabilities and of their steps. */
function effectsOf({ service }: Setting, names: readonly string[]): { readonly [capability: string]: SideEffect } {
  const steps = names.flatMap((name) => service.capabilities.get(name)?.composition?.steps ?? [])
  const all = new Set([...names, ...steps.map(({ capability }) => capability)])
  return Object.fromEntries(
    [...all].flatMap((name) => {
      const effect = service.capabilities.get(name)?.side_effect
      return effect === undefined ? [] : [[name, effect]]
    }),
  )
}

const partyFor = ({ principal, scopes = [] }: Person['known']) => ({
  principal,
  rootPrincipal: principal,
  principals: [principal],
  scopes,
  chain: [],
})
