import { meant, nearest, question } from '../../nearest.js'
import { outputNames } from '../facts/names.js'
import { mappingsOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const outputMappingTargetUnknown = {
  code: 'SVC4114',
  slug: 'output-mapping-target-unknown',
  severity: 'error',
  source: 'D',
  section: '2.8',
  description: '`output_mapping` sets declared output fields.',
  whyNot: DECLARED_NAMES,
  needs: 'composition',
  ofCapability({ capability }, report) {
    const fields = outputNames(capability)
    if (fields === undefined) return
    for (const { step, target, keySpan } of mappingsOf(capability)) {
      if (step !== undefined || fields.includes(target)) continue
      const near = nearest(target, fields)
      report(
        keySpan,
        `\`output_mapping\` sets \`${target}\`, which is not in \`output.fields\`.${question(near)}`,
        meant(near),
      )
    }
  },
} satisfies Rule
