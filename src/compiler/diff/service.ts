import { isRecord } from '../../crypto/json/kinds.js'
import { discoveryOf } from '../../protocol/discovery.js'
import type { Json, JsonObject, Manifest } from '../../protocol/manifest.js'
import {
  differing,
  memberChange,
  presence,
  same,
  set,
  within,
  type ChangeCode,
  type Comparison,
  type Difference,
} from './difference.js'

/** The version of the protocol that a manifest targets. */
export const protocolVersion: Comparison = memberChange('version', (was, is) =>
  isLower(is, was) ? 'SVC9172' : 'SVC9171',
)

const isLower = (one: Json | undefined, other: Json | undefined): boolean => {
  const [mine, theirs] = [one, other].map((version) => String(version).split('.').map(Number)) as [number[], number[]]
  const at = mine.findIndex((part, index) => part !== theirs[index])
  return at !== -1 && mine[at]! < (theirs[at] ?? 0)
}

/** The pace of checkpoints, where there are any before and after. */
export const anchoring =
  (name: string, inside: Comparison): Comparison =>
  (before, after) =>
    [before, after].every(({ level }) => level === 'anchored')
      ? within([name], inside(recordOf(before[name]), recordOf(after[name])))
      : []

const recordOf = (value: Json | undefined): JsonObject => (isRecord(value) ? value : {})

/** The key ids that a signed manifest tells. */
export const signingKeys: Comparison = (before, after) => {
  const path = ['x-keys']
  const [was, is] = [before['x-keys'], after['x-keys']]
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

/** Compares disclosure levels: more for any caller weakens, less does not. An unknown level counts as more. */
const disclosure = (was: Json | undefined, is: Json | undefined): ChangeCode =>
  openness(is) !== -1 && openness(was) > openness(is) ? 'SVC9233' : 'SVC9181'

export const failureDetail: Comparison = memberChange('failure_detail', disclosure)

export const callerClasses: Comparison = (before, after) => {
  const [was, is] = [recordOf(before['caller_class']), recordOf(after['caller_class'])]
  const classes = new Set([...Object.keys(was), ...Object.keys(is)])
  return [...classes].flatMap((name) => differing(['caller_class', name], was[name], is[name], disclosure))
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
