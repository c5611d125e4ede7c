import { at, keyOf } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { stepsOf } from '../facts/names.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const mappingStepUnknown = {
  code: 'SVC4101',
  slug: 'mapping-step-unknown',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: '`input_mapping` and `x-literals` name steps.',
  whyNot: DECLARED_NAMES,
  needs: 'composition',
  ofCapability({ capability }, report) {
    const steps = stepsOf(capability)
    if (steps === undefined) return
    for (const member of ['input_mapping', 'x-literals'] as const) {
      const named = capability.composition?.[member]
      for (const id of Object.keys(named ?? {})) {
        if (steps.has(id)) continue
        const near = nearest(id, steps.keys())
        report(
          keyOf(named!, id),
          `\`${member}\` names \`${id}\`, which is not a step.${question(near)}`,
          near === undefined
            ? {}
            : {
                ...meant(near),
                related: [{ span: at(steps.get(near)!, 'id'), message: `\`${near}\` is declared here.` }],
              },
        )
      }
    }
  },
} satisfies Rule
