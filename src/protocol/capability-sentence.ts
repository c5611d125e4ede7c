import type { Capability } from './manifest.js'
import type { SideEffectType } from './words.js'

/** What each effect means to a caller, as a sentence (section 2.4). */
export const EFFECT_SENTENCES: { readonly [effect in SideEffectType]: string } = {
  read: 'Changes nothing.',
  write: 'Makes a reversible change.',
  transactional: 'Makes a change that can be rolled back for a while.',
  irreversible: 'Makes a permanent change.',
}

/** What a call costs (section 2.7); nothing where no cost is declared. */
export function costSentence({ cost }: Pick<Capability, 'cost'>): string {
  if (cost?.financial === undefined) return ''
  const { amount, upper_bound, currency } = cost.financial
  if (cost.certainty === 'fixed' && amount !== undefined) return `Costs ${amount} ${currency}.`
  if (cost.certainty === 'dynamic' && upper_bound !== undefined) return `Costs up to ${upper_bound} ${currency}.`
  return `Costs an estimated amount in ${currency}.`
}

/** Whether a person must agree: to each call, or to some. */
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
