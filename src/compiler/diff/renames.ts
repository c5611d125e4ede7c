import { isRecord } from '../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'

/** Two things of different names are one when this much of them is equal. */
const ALIKE = 0.9
/** Pairs that are compared at most. */
const MOST_PAIRS = 10_000

/** Names that went -> names that came, where a body is the same but for its name. */
export function renamed(
  gone: ReadonlyMap<string, JsonObject>,
  come: ReadonlyMap<string, JsonObject>,
  isLikely: (before: JsonObject, after: JsonObject) => boolean = alike,
): ReadonlyMap<string, string> {
  const found = new Map<string, string>()
  if (gone.size * come.size > MOST_PAIRS) return found
  const taken = new Set<string>()
  for (const [before, body] of gone) {
    const after = [...come].find(([name, other]) => !taken.has(name) && isLikely(body, other))?.[0]
    if (after === undefined) continue
    taken.add(after)
    found.set(before, after)
  }
  return found
}

/** Holds when nine of ten of the values of either stand in the other. */
export function alike(one: JsonObject, other: JsonObject): boolean {
  const [mine, theirs] = [leavesOf(one), leavesOf(other)]
  const most = Math.max(mine.size, theirs.size)
  const shared = [...mine].filter((leaf) => theirs.has(leaf)).length
  return most > 0 && shared / most >= ALIKE
}

function leavesOf(value: Json, at = '', found = new Set<string>()): Set<string> {
  if (Array.isArray(value)) for (const item of value as readonly Json[]) leavesOf(item, `${at}[]`, found)
  else if (isRecord(value)) for (const [name, each] of Object.entries(value)) leavesOf(each, `${at}.${name}`, found)
  else found.add(`${at}=${JSON.stringify(value)}`)
  return found
}
