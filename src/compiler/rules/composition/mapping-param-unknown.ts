import { at } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { inputsOf, stepsOf } from '../facts/names.js'
import { literalsOf } from '../facts/literals.js'
import { mappingsOf, childOf, type Mapping } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

type SetInput = Pick<Mapping, 'step' | 'target' | 'keySpan'>

export const mappingParamUnknown = {
  code: 'SVC4102',
  slug: 'mapping-param-unknown',
  severity: 'error',
  source: 'D',
  section: '2.8',
  description: "A mapping or a literal sets inputs that its step's capability declares.",
  whyNot: OTHER_CAPABILITY,
  needs: 'composition',
  ofCapability(facts, report) {
    const steps = stepsOf(facts.capability)
    const set: readonly SetInput[] = [...mappingsOf(facts.capability), ...literalsOf(facts.capability)]
    for (const { step: id, target, keySpan } of set) {
      const step = id === undefined ? undefined : steps?.get(id)
      const child = childOf(facts, step)
      const inputs = child === undefined ? undefined : inputsOf(child)
      if (inputs === undefined || inputs.has(target)) continue
      const near = nearest(target, inputs.keys())
      report(
        keySpan,
        `\`${step!.capability}\` has no input \`${target}\`.${question(near)}`,
        near === undefined
          ? {}
          : {
              ...meant(near),
              related: [{ span: at(inputs.get(near)!, 'name'), message: `\`${near}\` is declared here.` }],
            },
      )
    }
  },
} satisfies Rule
