import { keyOf, isWhole } from '../../shape/view.js'
import { outputNames, outputFieldSpans } from '../facts/names.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const outputFieldUnmapped = {
  code: 'SVC4115',
  slug: 'output-field-unmapped',
  severity: 'error',
  source: 'D',
  section: '2.8',
  description: 'Every output field of a composition is set by `output_mapping`.',
  whyNot: DECLARED_NAMES,
  needs: 'composition',
  ofCapability({ capability }, report) {
    const mapping = capability.composition?.output_mapping
    if (mapping === undefined || !isWhole(mapping)) return
    const targets = Object.keys(mapping)
    const names = outputNames(capability)
    if (names === undefined || targets.length === 0 || targets.some((target) => !names.includes(target))) return
    for (const { name, span } of outputFieldSpans(capability))
      if (!targets.includes(name))
        report(span, `The output field \`${name}\` is never set by \`output_mapping\`.`, {
          related: [{ span: keyOf(capability.composition!, 'output_mapping'), message: 'The mapping is here.' }],
        })
  },
} satisfies Rule
