import { isRecord } from '../../crypto/json/kinds.js'
import { discoveryOf } from '../../protocol/discovery.js'
import { cadenceMs } from '../../protocol/durations.js'
import type { Json, JsonObject, Manifest } from '../../protocol/manifest.js'
import { approvalSettings } from './approval.js'
import {
  all,
  amountChange,
  anyChange,
  differing,
  duration,
  memberChange,
  presence,
  same,
  set,
  valueOf,
  type ChangeCode,
  type Comparison,
  type Difference,
} from './difference.js'
import { extensions } from './extensions.js'

const TRUST = ['declarative', 'signed', 'anchored']
const rank = (level: Json | undefined): number => TRUST.indexOf(String(level))

/** What everybody sees of a service (section 2.3). */
export const serviceChanges: Comparison = all([
  memberChange('manifest_metadata.version', (was, is) => (isLower(is, was) ? 'SVC9172' : 'SVC9171')),
  anyChange('service_identity.id', 'SVC9173'),
  ofPublished('manifest_metadata.sha256', 'SVC9182'),
  ofPublished('manifest_metadata.issued_at', 'SVC9182'),
  ofPublished('manifest_metadata.expires_at', 'SVC9182'),
  ofPublished('service_identity.jwks_uri', 'SVC9174'),
  ofPublished('service_identity.issuer_mode', 'SVC9174'),
  signingKeys,
  memberChange('trust.level', (was, is) => (rank(is) < rank(was) ? 'SVC9175' : 'SVC9176')),
  cadence,
  extensions,
])

/** What publication fills in: a source that does not say it says nothing else. */
function ofPublished(path: string, code: string): Comparison {
  return memberChange(path, presence({ changed: code }))
}

/** What only authors write: a served manifest does not tell it, and then it is not compared. */
export const authorChanges: Comparison = all([
  anyChange('service_identity.name', 'SVC9231'),
  anyChange('service_identity.description', 'SVC9231'),
  disclosure,
  approvalSettings,
  duration('approvals.request_ttl', { longer: 'SVC9240', shorter: 'SVC9239' }),
  duration('approvals.denial_holds', { longer: 'SVC9242', shorter: 'SVC9241', absent: 600_000 }),
  amountChange('limits.max_delegation_depth', { higher: 'SVC9243', lower: 'SVC9244', absent: 3 }),
  amountChange('limits.max_ttl_hours', { higher: 'SVC9245', lower: 'SVC9246', absent: 24 }),
  anyChange('limits.default_ttl_hours', 'SVC9247'),
  memberChange('limits.delegate_to_humans', (_, is) => (is === false ? 'SVC9249' : 'SVC9248')),
])

const isLower = (one: Json | undefined, other: Json | undefined): boolean => {
  const [mine, theirs] = [one, other].map((version) => String(version).split('.').map(Number)) as [number[], number[]]
  const at = mine.findIndex((part, index) => part !== theirs[index])
  return at !== -1 && mine[at]! < (theirs[at] ?? 0)
}

/** The pace of checkpoints, where there are any before and after. */
function cadence(before: JsonObject, after: JsonObject): readonly Difference[] {
  const path = ['trust', 'anchoring', 'cadence']
  if ([before, after].some((each) => valueOf(each, path) === undefined)) return []
  return duration(path.join('.'), { longer: 'SVC9177', shorter: 'SVC9232' }, cadenceMs)(before, after)
}

/** The key ids that a signed manifest tells. */
function signingKeys(before: JsonObject, after: JsonObject): readonly Difference[] {
  const path = ['service_identity', 'x-keys']
  const [was, is] = [valueOf(before, path), valueOf(after, path)]
  if (!isRecord(was) || !isRecord(is)) return []
  const found = set('keys', { gained: 'SVC9184', lost: 'SVC9183' })(
    { keys: Object.keys(was) },
    { keys: Object.keys(is) },
  )
  const kept = Object.keys(was).filter((kid) => Object.hasOwn(is, kid))
  const changed = kept.flatMap((kid) => differing([...path, kid], was[kid], is[kid], countingOtherwise))
  return [...found.map((each) => ({ ...each, at: path })), ...changed]
}

/** A key that is retired, or sooner, counts for less; with another role, or without an end, for more. */
function countingOtherwise(before: Json | undefined, after: Json | undefined): ChangeCode {
  const [was, is] = [before, after].map((each) => (isRecord(each) ? each : {}))
  const { retired_from: from, until_checkpoint: until, ...rest } = was!
  const { retired_from: newFrom, until_checkpoint: newUntil, ...newRest } = is!
  const sooner = from === undefined || Date.parse(String(newFrom)) <= Date.parse(String(from))
  const lower = until === undefined || same(until, newUntil) || sequenceIn(newUntil) < sequenceIn(until)
  return sooner && lower && same(rest, newRest) ? 'SVC9256' : 'SVC9257'
}

/** Of the last checkpoint that counts; none is not a number, and so less than nothing. */
const sequenceIn = (until: Json | undefined): number => (isRecord(until) ? Number(until['sequence']) : Number.NaN)

const OPEN = ['redacted', 'reduced', 'full']
const openness = (level: Json | undefined): number => OPEN.indexOf(String(level))

/** Who is told how much: more for somebody weakens, less does not. What cannot be ranked counts as more. */
function disclosure(before: JsonObject, after: JsonObject): readonly Difference[] {
  const root = 'metadata_disclosure'
  const classes = new Set(
    [before, after].flatMap((each) => {
      const levels = valueOf(each, [root, 'caller_class'])
      return isRecord(levels) ? Object.keys(levels) : []
    }),
  )
  const paths = [[root, 'failure_detail'], ...[...classes].map((name) => [root, 'caller_class', name])]
  return paths.flatMap((path) =>
    differing(path, valueOf(before, path), valueOf(after, path), (was, is) =>
      openness(is) !== -1 && openness(was) > openness(is) ? 'SVC9233' : 'SVC9181',
    ),
  )
}

/** Endpoints that a service of this manifest has (section 2.1). */
export const endpointChanges = (before: Manifest, after: Manifest): readonly Difference[] =>
  endpointsOtherwise(endpointsOf(before), endpointsOf(after))

/** The interface fixes the paths; an extension may not. */
export const endpointsOtherwise = (was: JsonObject, is: JsonObject): readonly Difference[] =>
  [...new Set([...Object.keys(was), ...Object.keys(is)])].flatMap((name) =>
    differing(
      ['endpoints', name],
      was[name],
      is[name],
      presence({ added: 'SVC9179', removed: 'SVC9178', changed: 'SVC9180' }),
    ),
  )

const endpointsOf = (manifest: Manifest): JsonObject =>
  discoveryOf(manifest).svc_discovery.endpoints as unknown as JsonObject
