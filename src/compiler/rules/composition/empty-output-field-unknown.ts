import { keyOf } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { emptyOutputOf } from '../facts/mappings.js'
import { outputNames } from '../facts/names.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const emptyOutputFieldUnknown = {
  code: 'SVC4207',
  slug: 'empty-output-field-unknown',
  severity: 'error',
  source: 'D',
  section: '2.8',
  description: '`empty_result_output` sets declared output fields.',
  whyNot: DECLARED_NAMES,
  needs: 'composition',
  ofCapability({ capability }, report) {
    const output = emptyOutputOf(capability)
    const fields = outputNames(capability)
    if (output === undefined || fields === undefined) return
    for (const target of Object.keys(output)) {
      if (fields.includes(target)) continue
      const near = nearest(target, fields)
      report(
        keyOf(output, target),
        `\`empty_result_output\` sets \`${target}\`, which is not in \`output.fields\`.${question(near)}`,
        meant(near),
      )
    }
  },
} satisfies Rule
