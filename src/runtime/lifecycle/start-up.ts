import { LONGEST_MS } from '../../protocol/durations.js'
import type { KeyRing } from '../../crypto/keys/key-ring.js'
import type { Capability, Composition } from '../../protocol/manifest.js'
import { KEY_ROLES, type KeyRole } from '../../protocol/words.js'
import { ambiguousProviders } from '../credentials/oidc/ambiguity.js'
import { StartUpError } from '../errors/start-up-error.js'
import { notifyProblems } from '../events/notify-problems.js'
import { comparableHost } from '../net/host.js'
import { missingForConnections } from '../connections/startable.js'
import { unlistedKeys } from '../keys/listed-keys.js'
import { DEFAULT_LIMITS } from '../limits.js'
import type { ServiceOptions } from '../service.js'
import { NO_ROWS_KEY } from '../rows/row-seal.js'
import { unknownOptions } from './known-options.js'
import { unservable } from './published-start.js'

/** Refuses to start without what the service cannot work without. */
export async function assertStartable(options: ServiceOptions): Promise<void> {
  const {
    definition,
    implementation,
    keys,
    limits = {},
    publishedManifest,
    hosts = [],
    origins = [],
    oidc = [],
    notify = [],
  } = options
  const declared = Object.entries(definition.manifest.capabilities)
  const roles = publishedManifest === undefined ? KEY_ROLES : KEY_ROLES.filter((role) => role !== 'manifest')
  const problems = [
    ...unknownOptions(options),
    ...declared.flatMap(([name, capability]) => missingHandler(name, capability, implementation)),
    ...declared.flatMap(([name, capability]) => missingPreview(name, capability, implementation)),
    ...declared.flatMap(([name]) => missingValidators(name, definition)),
    ...declared.flatMap(([name, capability]) => missingResolvers(name, capability, implementation)),
    ...declared.flatMap(([name, { composition }]) => invalidSteps(name, composition, definition)),
    ...missingKeys(keys, roles),
    ...missingSecret(keys),
    ...missingForConnections(Object.values(definition.manifest.capabilities), keys),
    ...unlistedKeys(publishedManifest, keys),
    ...(await unservable(options)),
    ...invalidLimits(limits),
    ...invalidHosts(hosts),
    ...invalidOrigins(origins),
    ...ambiguousProviders(oidc),
    ...invalidEntitlements(oidc),
    ...notifyProblems(notify),
  ]
  if (problems.length > 0)
    throw new StartUpError(`The service cannot start:\n${problems.map((each) => `- ${each}`).join('\n')}`)
}

function missingHandler(
  name: string,
  { kind }: Capability,
  { handlers }: ServiceOptions['implementation'],
): readonly string[] {
  if (kind === 'composed' || (Object.hasOwn(handlers, name) && typeof handlers[name] === 'function')) return []
  return [`Capability ${name} has no handler. Export one from src/handlers and pass it to createService.`]
}

/** Without one nothing could be shown to hold. */
const missingPreview = (
  name: string,
  { approval }: Capability,
  { previews = {} }: ServiceOptions['implementation'],
): readonly string[] =>
  approval?.preview !== 'must_hold' || (Object.hasOwn(previews, name) && typeof previews[name] === 'function')
    ? []
    : [
        `Capability ${name} has approval.preview: must_hold and no preview. Pass one to createService, or remove the line.`,
      ]

const missingValidators = (name: string, { validators }: ServiceOptions['definition']): readonly string[] =>
  Object.hasOwn(validators, name) ? [] : [`Capability ${name} has no validators. Run svc build.`]

function missingResolvers(
  name: string,
  { inputs }: Capability,
  { resolvers = {}, actorPolicy }: ServiceOptions['implementation'],
): readonly string[] {
  return inputs.flatMap((input) => {
    const { mode, resolver_ref } = input.resolution ?? {}
    const reference = resolver_ref ?? input.catalog_ref
    if (mode === 'backend_resolved' && (reference === undefined || !Object.hasOwn(resolvers, reference)))
      return [
        `Input ${input.name} of ${name} is resolved by ${reference ?? 'the back end'}, and there is no such resolver.`,
      ]
    if (mode === 'actor_policy' && actorPolicy === undefined)
      return [`Input ${input.name} of ${name} comes from the actor policy, and there is none.`]
    return []
  })
}

/** Steps are atomic, so no composition can run in circles (section 2.8). */
function invalidSteps(
  name: string,
  composition: Composition | undefined,
  { manifest: { capabilities } }: ServiceOptions['definition'],
): readonly string[] {
  const invalid = composition?.steps.filter(
    ({ capability }) => !Object.hasOwn(capabilities, capability) || capabilities[capability]!.kind === 'composed',
  )
  return (invalid ?? []).map(({ id }) => `Composition ${name}: the step ${id} must name an atomic capability.`)
}

/** Reports hooks that are no function: they would entitle nobody (section 5.6). */
const invalidEntitlements = (oidc: NonNullable<ServiceOptions['oidc']>): readonly string[] =>
  oidc
    .filter(({ entitlements }) => entitlements !== undefined && typeof entitlements !== 'function')
    .map(({ issuer }) => `The entitlements of ${issuer} must be a function of its claims, or be left out.`)

/** A host that is none would refuse every request. */
const invalidHosts = (hosts: readonly string[]): readonly string[] =>
  hosts
    .filter((host) => comparableHost(host) === undefined)
    .map((host) => `The host ${JSON.stringify(host)} must be a name and perhaps a port, as svc.example:8443.`)

/** An origin that is none, or `*`, would allow nobody or everybody (decisions, section 9). */
const invalidOrigins = (origins: readonly string[]): readonly string[] =>
  origins
    .filter((origin) => !URL.canParse(origin) || new URL(origin).origin !== origin)
    .map(
      (origin) =>
        `The origin ${JSON.stringify(origin)} must be a scheme, a host and perhaps a port, as https://app.example.`,
    )

const MOST_TOLERANCE_S = 30

/** A timer beyond it ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Durations that are stored as a time, which no timer waits for. */
const STORED: readonly string[] = ['idempotencyMs', 'refusalRetentionMs', 'manifestLifetimeMs']

const isTimed = (name: string): boolean => (name.endsWith('Ms') || name === 'longPollSeconds') && !STORED.includes(name)

const unitOf = (name: string): number => (name.endsWith('Seconds') ? 1000 : 1)
const msOf = (name: string, value: number): number => value * unitOf(name)
const mostOf = (name: string): number => Math.floor(LONGEST_TIMER_MS / unitOf(name))

/** Bounds that would not bound (decisions, sections 3 and 9). */
function invalidLimits(limits: NonNullable<ServiceOptions['limits']>): readonly string[] {
  const { clockToleranceSeconds, idempotencyMs, handlerTimeoutMs, streamTimeoutMs } = { ...DEFAULT_LIMITS, ...limits }
  const broken = Object.entries(limits).filter(([, value]) => !(Number.isFinite(value) && value >= 0))
  const endless = Object.entries(limits).filter(
    ([name, value]) => isTimed(name) && msOf(name, value) > LONGEST_TIMER_MS,
  )
  const timeless = Object.entries(limits).filter(([name, value]) => STORED.includes(name) && value > LONGEST_MS)
  return [
    ...timeless.map(([name]) => `The limit ${name} may be ${LONGEST_MS} at most, which is a thousand years.`),
    ...broken.map(([name]) => `The limit ${name} must be a number from 0.`),
    ...endless.map(([name]) => `The limit ${name} may be ${mostOf(name)} at most, which is 24 days.`),
    ...(clockToleranceSeconds > MOST_TOLERANCE_S
      ? [`The limit clockToleranceSeconds may be ${MOST_TOLERANCE_S} at most.`]
      : []),
    // A call that is under way must be known by its key until it ends.
    ...(idempotencyMs <= Math.max(handlerTimeoutMs, streamTimeoutMs)
      ? ['The limit idempotencyMs must be above handlerTimeoutMs and streamTimeoutMs.']
      : []),
  ]
}

const missingSecret = ({ secrets = [] }: KeyRing): readonly string[] =>
  secrets.some(({ role, state, secret }) => role === 'rows' && state === 'active' && secret !== undefined)
    ? []
    : [NO_ROWS_KEY]

const missingKeys = ({ keys }: KeyRing, roles: readonly KeyRole[]): readonly string[] =>
  roles
    .filter((role) => !keys.some((key) => key.role === role && key.state === 'active' && key.signer !== undefined))
    .map(
      (role) => `There is no active signing key for the role ${role}. Make one with: svc keys generate --role ${role}`,
    )
