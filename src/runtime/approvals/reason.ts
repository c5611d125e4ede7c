import type { JsonObject } from '../../protocol/manifest.js'
import { textMember } from '../call/inputs/members.js'

const MOST_CHARACTERS = 1000

/** Why somebody decided so, in their words (decisions, section 10). */
export const reasonIn = (body: JsonObject): string | undefined =>
  textMember(
    body,
    'reason',
    (text) => text !== '' && Array.from(text).length <= MOST_CHARACTERS,
    `a text of 1 to ${MOST_CHARACTERS} characters`,
  )
