import { meant, nearest, question } from '../../nearest.js'
import { at, itemAt } from '../../shape/view.js'
import { inputsOf } from '../facts/names.js'
import type { Rule } from '../rule.js'
import { DECLARED_NAMES } from '../why-not.js'

export const exclusiveInputUnknown = {
  code: 'SVC2015',
  slug: 'exclusive-input-unknown',
  severity: 'error',
  source: 'A',
  section: '2.4',
  description: '`x-exclusive-by` names inputs of the capability.',
  why:
    'Calls exclude each other by the values of inputs; a name that is none would make all calls wait for each ' +
    'other.',
  whyNot: DECLARED_NAMES,
  needs: 'x-exclusive-by',
  ofCapability({ capability }, report) {
    const names = capability['x-exclusive-by']
    const inputs = inputsOf(capability)
    if (names === undefined || inputs === undefined) return
    for (const [index, name] of names.entries()) {
      if (inputs.has(name)) continue
      const near = nearest(name, inputs.keys())
      report(itemAt(names, index), `\`x-exclusive-by\` names \`${name}\`, which is not an input.${question(near)}`, {
        ...meant(near),
        ...(near === undefined
          ? {}
          : { related: [{ span: at(inputs.get(near)!, 'name'), message: `\`${near}\` is declared here.` }] }),
      })
    }
  },
} satisfies Rule
