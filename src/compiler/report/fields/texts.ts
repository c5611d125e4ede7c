import { APPROVAL_TEXTS } from './approval.js'
import { CAPABILITY_TEXTS } from './capability.js'
import type { BlockTexts, FieldText } from './field-text.js'
import { INPUT_TEXTS } from './input.js'
import { MANIFEST_TEXTS } from './manifest.js'

/** All blocks; a test holds them to the table of fields. */
export const FIELD_TEXTS: BlockTexts = { ...MANIFEST_TEXTS, ...CAPABILITY_TEXTS, ...INPUT_TEXTS, ...APPROVAL_TEXTS }

/** Returns the description of a field; undefined for an unknown field. */
export function fieldText(block: string, field: string): FieldText | undefined {
  const text = FIELD_TEXTS[block]?.[field]
  return typeof text === 'string' ? { atRunTime: text } : text
}
