import type { ApprovalRequest } from '../../../protocol/approval.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { nameInWords } from '../../../protocol/name-in-words.js'
import { money } from './money.js'
import { safeText } from './safe-text.js'

/** A text of a preview, where it is one and no longer than it may be (decisions, section 10). */
function textIn(preview: Json | undefined, member: string, most: number): string | undefined {
  if (typeof preview !== 'object' || preview === null || Array.isArray(preview)) return undefined
  const value = Object.hasOwn(preview, member) ? (preview as JsonObject)[member] : undefined
  return typeof value === 'string' && value !== '' && value.length <= most ? safeText(value) : undefined
}

type Headed = Pick<ApprovalRequest, 'preview' | 'capability' | 'checked_cost' | 'step'>

/**
 * Returns the headline of a request: the service's own preview, or else the capability, and its cost unless that stands
 * beside it.
 */
export function headline({ preview, capability, checked_cost, step }: Headed, { cost = true } = {}): string {
  const summary = textIn(preview, 'summary', 120)
  if (summary !== undefined) return summary
  const name = nameInWords(step?.capability ?? capability)
  return checked_cost === undefined || !cost ? name : `${name}, for ${money(checked_cost)}`
}

/** The words of the button that confirms what cannot be undone. */
export const confirmWords = ({ preview, checked_cost }: Headed): string =>
  textIn(preview, 'action', 28) ?? (checked_cost === undefined ? 'Approve for good' : `Approve ${money(checked_cost)}`)
