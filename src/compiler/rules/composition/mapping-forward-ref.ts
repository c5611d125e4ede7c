import { at } from '../../shape/view.js'
import { stepsOf } from '../facts/names.js'
import { mappingsOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const mappingForwardRef = {
  code: 'SVC4107',
  slug: 'mapping-forward-ref',
  severity: 'error',
  source: 'S',
  section: '2.8',
  description: 'A step reads only from steps before it.',
  whyNot: DECLARED_NAMES,
  needs: 'composition',
  ofCapability({ capability }, report) {
    const steps = stepsOf(capability)
    if (steps === undefined) return
    const order = [...steps.keys()]
    for (const { step, source, span } of mappingsOf(capability)) {
      if (
        step === undefined ||
        source?.kind !== 'step' ||
        !steps.has(step) ||
        order.indexOf(source.step) <= order.indexOf(step)
      )
        continue
      report(
        span,
        `\`${step}\` reads from \`${source.step}\`, which runs later; a step reads only from earlier ones.`,
        {
          related: [{ span: at(steps.get(source.step)!, 'id'), message: `\`${source.step}\` runs here.` }],
        },
      )
    }
  },
} satisfies Rule
