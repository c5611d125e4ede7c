import type { Json } from '../../protocol/manifest.js'
import { literalText, nameText, stringText } from './text.js'

/** A JSON value as an expression on one line. */
export function valueText(value: Json): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return literalText(value)
  if (isArray(value)) return `[${value.map(valueText).join(', ')}]`
  const members = Object.entries(value).map(([name, member]) => `${nameText(name)}: ${valueText(member)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

const isArray = (value: Json): value is readonly Json[] => Array.isArray(value)

/** A JSON text of a value as a string literal. */
export const jsonText = (value: unknown): string => stringText(JSON.stringify(value))
