import { at } from '../../shape/view.js'
import { CHECKED_INPUT_TYPES } from '../../../protocol/words.js'
import { fedInputs } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

/** Types whose values are no text; a domain type is treated as text (section 2.5). */
const NO_TEXT: readonly string[] = ['integer', 'number', 'boolean', 'object', 'array', 'any']
const isText = (type: string): boolean => !NO_TEXT.includes(type)
const isChecked = (type: string): boolean => (CHECKED_INPUT_TYPES as readonly string[]).includes(type)
const fitsInto = (from: string, to: string): boolean =>
  from === to ||
  [from, to].includes('any') ||
  (from === 'integer' && to === 'number') ||
  (isText(from) && (to === 'string' || !isChecked(to)))

export const mappingType = {
  code: 'SVC4110',
  slug: 'mapping-type',
  severity: 'warning',
  source: 'D',
  section: '2.8',
  description: 'A parent input feeds a child input of the same type.',
  needs: 'composition',
  ofCapability(facts, report) {
    for (const { target, span, from, to } of fedInputs(facts)) {
      if (to.type === undefined || from.type === undefined || fitsInto(from.type, to.type)) continue
      report(span, `The parent input \`${from.name}\` (${from.type}) feeds \`${target}\` (${to.type}).`, {
        related: [
          { span: at(from, 'type'), message: 'The parent input has its type here.' },
          { span: at(to, 'type'), message: 'The child input has its type here.' },
        ],
      })
    }
  },
} satisfies Rule
