import type { Source } from '../../diagnostics.js'
import type { PlacedChange } from '../diff.js'
import { EFFECTS, type Effect, type FailOn } from '../effects.js'

/** A change that is reported, and why it was accepted, where it was. */
export interface ReportedChange extends PlacedChange {
  readonly accepted?: string
}

/** Result of a comparison, as every reporter takes it. */
export interface DiffRun {
  readonly before: string
  readonly after: string
  /** Of the new manifest. */
  readonly sources: readonly Source[]
  readonly changes: readonly ReportedChange[]
  readonly failOn: readonly FailOn[]
}

/** Holds for a change that makes the comparison fail: nobody has accepted it. */
export const failsOn = ({ effect, weakens, accepted }: ReportedChange, failOn: readonly FailOn[]): boolean =>
  accepted === undefined &&
  ((effect !== 'compatible' && failOn.includes(effect)) || (weakens && failOn.includes('weakened')))

/** The changes, worst first; those of one effect stay in the order of the document. */
export const worstFirst = (changes: readonly ReportedChange[]): readonly ReportedChange[] =>
  EFFECTS.flatMap((effect) => changes.filter((change) => change.effect === effect))

/** `2 breaking, 1 weakened`: how many there are of each effect, and how many of all were accepted. */
export function countsOf(changes: readonly ReportedChange[]): { readonly [effect in Effect | 'accepted']: number } {
  const count = (effect: Effect): number => changes.filter((change) => change.effect === effect).length
  return {
    breaking: count('breaking'),
    weakened: count('weakened'),
    unbumped: count('unbumped'),
    compatible: count('compatible'),
    accepted: changes.filter(({ accepted }) => accepted !== undefined).length,
  }
}

export function countSentence(changes: readonly ReportedChange[]): string {
  const parts = Object.entries(countsOf(changes)).flatMap(([word, count]) => (count > 0 ? [`${count} ${word}`] : []))
  return parts.length === 0 ? 'No changes.' : `${parts.join(', ')}.`
}

/** Describes a change, and what it requires if it is not compatible. */
export const wordsOf = ({ effect, weakens }: ReportedChange): string =>
  effect === 'breaking' && weakens ? 'breaking, weakened' : effect
