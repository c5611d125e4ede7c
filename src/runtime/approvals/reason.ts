import type { JsonObject } from '../../protocol/manifest.js'
import { textMember } from '../request/members.js'

export const REASON_CHARACTERS = 1000

/** Reads the reason of a decision, in the decider's words (decisions, section 10). */
export const reasonIn = (body: JsonObject): string | undefined =>
  textMember(
    body,
    'reason',
    (text) => text !== '' && Array.from(text).length <= REASON_CHARACTERS,
    `a text of 1 to ${REASON_CHARACTERS} characters`,
  )
