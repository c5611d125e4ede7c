/**
 * Judges a recorded history: is there an order of the operations, each somewhere between its beginning and its end, in which every answer is right? Grants,
 * budgets and revocations are linearisable. Of idempotency keys and exclusive places less is promised: one outcome for each key, one holder at a time;
 * who comes meanwhile may be told to try again.
 */

/** One call, on one clock for all, in ms. */
export interface Operation {
  /** The grant, budget, key, place or token that it is about. */
  readonly about: string
  readonly from: number
  readonly to: number
  /** `unknown`: no answer, or one that does not say whether it happened. */
  readonly outcome: 'done' | 'refused' | 'unknown'
  readonly id: string
}

/** A history of one kind of thing, and what is wrong with it, each in a sentence. */
type Judge<Given> = (history: readonly Operation[], given: Given) => readonly string[]

/**
 * Uses of things that so many uses exhaust, for good. A refusal needs as many uses that may have come before; what is done began before every
 * refusal had ended.
 */
export const judgeCounted: Judge<number> = (history, most) =>
  [...byAbout(history)].flatMap(([about, operations]) => {
    const done = operations.filter(({ outcome }) => outcome === 'done')
    const possible = operations.filter(({ outcome }) => outcome !== 'refused')
    const refused = operations.filter(({ outcome }) => outcome === 'refused')
    const exhausted = Math.min(...refused.map(({ to }) => to))
    return [
      ...(done.length > most ? [`${about} was used ${done.length} times, of ${most}.`] : []),
      ...refused
        .filter(({ to }) => possible.filter(({ from }) => from < to).length < most)
        .map(({ id }) => `${about} refused ${id} before it was used ${most} times.`),
      ...done.filter(({ from }) => from > exhausted).map(({ id }) => `${about} was exhausted, and then did ${id}.`),
    ]
  })

/** Calls with idempotency keys: whatever is answered, it is one invocation; given are the effects of each. */
export const judgeKeyed: Judge<ReadonlyMap<string, number>> = (history, effects) =>
  [...byAbout(history)].flatMap(([about, operations]) => {
    const ids = new Set(operations.filter(({ outcome }) => outcome === 'done').map(({ id }) => id))
    const times = effects.get(about) ?? 0
    return [
      ...(ids.size > 1 ? [`${about} was answered by ${ids.size} invocations.`] : []),
      ...(times > 1 ? [`${about} had ${times} effects.`] : []),
      ...(ids.size === 1 && times === 0 ? [`${about} was done without an effect.`] : []),
    ]
  })

/** What was held, by whom, from when to when: never by two at a time. */
export const judgeExclusive = (held: readonly Omit<Operation, 'outcome'>[]): readonly string[] =>
  [...byAbout(held)].flatMap(([about, holders]) => {
    const inOrder = [...holders].sort((one, other) => one.from - other.from)
    return inOrder.flatMap((holder, index) => {
      const next = inOrder[index + 1]
      return next !== undefined && next.from < holder.to ? [`${about} was held by ${holder.id} and ${next.id}.`] : []
    })
  })

/** Calls by tokens, each of which was revoked in a time of its own: nothing starts after that was answered, nothing is refused before it was asked. */
export const judgeRevoked: Judge<ReadonlyMap<string, { readonly from: number; readonly to: number }>> = (
  history,
  revoked,
) =>
  history.flatMap(({ about, from, to, outcome, id }) => {
    const end = revoked.get(about)!
    if (outcome === 'done' && from > end.to) return [`${about} was revoked, and then did ${id}.`]
    if (outcome === 'refused' && to < end.from) return [`${about} refused ${id} before it was revoked.`]
    return []
  })

function byAbout<Each extends { readonly about: string }>(all: readonly Each[]): ReadonlyMap<string, readonly Each[]> {
  const grouped = new Map<string, Each[]>()
  for (const each of all) {
    const group = grouped.get(each.about)
    if (group === undefined) grouped.set(each.about, [each])
    else group.push(each)
  }
  return grouped
}
