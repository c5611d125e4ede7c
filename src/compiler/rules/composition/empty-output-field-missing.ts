import { keyOf, isWhole } from '../../shape/view.js'
import { emptyOutputOf } from '../facts/mappings.js'
import { outputNames } from '../facts/names.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const emptyOutputFieldMissing = {
  code: 'SVC4208',
  slug: 'empty-output-field-missing',
  severity: 'error',
  source: 'D',
  section: '2.8',
  description: '`empty_result_output` sets every output field.',
  whyNot: DECLARED_NAMES,
  needs: 'composition',
  ofCapability({ capability }, report) {
    const output = emptyOutputOf(capability)
    const fields = outputNames(capability)
    if (output === undefined || fields === undefined || !isWhole(output)) return
    const targets = Object.keys(output)
    if (targets.some((target) => !fields.includes(target))) return
    const lacking = fields.filter((name) => !targets.includes(name))
    if (lacking.length > 0)
      report(
        keyOf(capability.composition!, 'empty_result_output'),
        `\`empty_result_output\` does not set the output field ${lacking.map((name) => `\`${name}\``).join(', ')}.`,
      )
  },
} satisfies Rule
