import type { Capability } from './manifest.js'
import type { SideEffectType } from './words.js'

/** Sentence for callers about each effect (section 2.4). */
export const EFFECT_SENTENCES: { readonly [effect in SideEffectType]: string } = {
  read: 'Changes nothing.',
  write: 'Makes a reversible change.',
  transactional: 'Makes a change that can be rolled back for a while.',
  irreversible: 'Makes a permanent change.',
}

/** Describes the cost of a call (section 2.7); empty if no cost is declared. */
export function costSentence({ cost }: Pick<Capability, 'cost'>): string {
  if (cost?.financial === undefined) return ''
  const { amount, upper_bound, currency } = cost.financial
  if (cost.certainty === 'fixed' && amount !== undefined) return `Costs ${amount} ${currency}.`
  if (cost.certainty === 'dynamic' && upper_bound !== undefined) return `Costs up to ${upper_bound} ${currency}.`
  return `Costs an estimated amount in ${currency}.`
}

/** Share of calls that need an approval. */
export type ApprovalNeed = 'never' | 'sometimes' | 'always'

const APPROVAL_SENTENCES: { readonly [need in ApprovalNeed]: string } = {
  never: '',
  sometimes: 'May need an approval.',
  always: 'Needs an approval.',
}

export const approvalNeed = ({ approval }: Pick<Capability, 'approval'>): ApprovalNeed => {
  if (approval === undefined) return 'never'
  return approval.required === 'always' ? 'always' : 'sometimes'
}

export const approvalSentence = (need: ApprovalNeed): string => APPROVAL_SENTENCES[need]
