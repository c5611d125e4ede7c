import { at } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { stepsOf } from '../facts/names.js'
import { pathsOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const mappingRefStepUnknown = {
  code: 'SVC4106',
  slug: 'mapping-ref-step-unknown',
  severity: 'error',
  source: 'D',
  section: '2.8',
  description: 'A path reads steps that exist.',
  whyNot: DECLARED_NAMES,
  needs: 'composition',
  ofCapability({ capability }, report) {
    const steps = stepsOf(capability)
    if (steps === undefined) return
    for (const { source, span } of pathsOf(capability)) {
      if (source?.kind !== 'step' || steps.has(source.step)) continue
      const near = nearest(source.step, steps.keys())
      report(
        span,
        `There is no step \`${source.step}\`.${question(near)}`,
        near === undefined
          ? {}
          : {
              ...meant(`$.steps.${near}.output.${source.field}`),
              related: [{ span: at(steps.get(near)!, 'id'), message: `\`${near}\` is declared here.` }],
            },
      )
    }
  },
} satisfies Rule
