import { at } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { inputsOf } from '../facts/names.js'
import { pathsOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const mappingParentInputUnknown = {
  code: 'SVC4105',
  slug: 'mapping-parent-input-unknown',
  severity: 'error',
  source: 'D',
  section: '2.8',
  description: 'A path reads inputs that the parent declares.',
  whyNot: DECLARED_NAMES,
  needs: 'composition',
  ofCapability({ capability }, report) {
    const inputs = inputsOf(capability)
    if (inputs === undefined) return
    for (const { source, span } of pathsOf(capability)) {
      if (source?.kind !== 'input' || inputs.has(source.input)) continue
      const near = nearest(source.input, inputs.keys())
      report(
        span,
        `The parent has no input \`${source.input}\`.${question(near)}`,
        near === undefined
          ? {}
          : {
              ...meant(`$.input.${near}`),
              related: [{ span: at(inputs.get(near)!, 'name'), message: `\`${near}\` is declared here.` }],
            },
      )
    }
  },
} satisfies Rule
