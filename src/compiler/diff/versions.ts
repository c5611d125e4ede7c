import type { Difference } from './difference.js'
import { changeKindOf, type Bump } from './kinds.js'

const WEIGHT: { readonly [bump in Bump]: number } = { patch: 1, minor: 2, major: 3 }
const AT = ['contract_version']

type Version = readonly [major: number, minor: number, patch: number]

/** The three numbers of a semantic version; what it is a candidate for counts as it. */
const numbersOf = (text: string): Version => {
  const [major = 0, minor = 0, patch = 0] = text.split(/[-+]/u)[0]!.split('.').map(Number)
  return [major, minor, patch]
}

const compare = (one: Version, other: Version): number => {
  const at = one.findIndex((part, index) => part !== other[index])
  return at === -1 ? 0 : one[at]! - other[at]!
}

/** The bump that a list of differences asks for. */
export const bumpFor = (differences: readonly Difference[]): Bump | undefined =>
  differences
    .map(({ code, instead }) => instead?.bump ?? changeKindOf(code).bump)
    .filter((bump) => bump !== undefined)
    .sort((one, other) => WEIGHT[other] - WEIGHT[one])[0]

/** The least version that says so. Below 1.0.0 anything may change: a minor one stands for a major one there. */
export function nextVersion(before: string, bump: Bump): string {
  const [major, minor, patch] = numbersOf(before)
  const asked = major > 0 ? bump : bump === 'major' ? 'minor' : 'patch'
  if (asked === 'major') return `${major + 1}.0.0`
  return asked === 'minor' ? `${major}.${minor + 1}.0` : `${major}.${minor}.${patch + 1}`
}

/** Checks whether a version reflects what has changed (section 9.2). */
export function versionChanges(before: string, after: string, bump: Bump | undefined): readonly Difference[] {
  const [was, is] = [numbersOf(before), numbersOf(after)]
  if (compare(is, was) < 0) return [{ code: 'SVC9163', at: AT, says: `was ${before} and is ${after}` }]
  if (bump === undefined)
    return before === after
      ? []
      : [{ code: 'SVC9164', at: AT, says: `was ${before} and is ${after}, and nothing else changed` }]
  const least = nextVersion(before, bump)
  const asked = `its changes ask for ${least} or later`
  if (compare(is, was) === 0) return [{ code: 'SVC9161', at: AT, says: `is still ${after}; ${asked}` }]
  if (compare(is, numbersOf(least)) < 0)
    return [{ code: 'SVC9162', at: AT, says: `was ${before} and is ${after}; ${asked}` }]
  const isTooBig = was[0] > 0 && is[0] > was[0] && bump !== 'major'
  return isTooBig ? [{ code: 'SVC9165', at: AT, says: `was ${before} and is ${after}; ${least} is enough` }] : []
}
