import { DISTINCT, members } from '../schema-part.js'
import { ONE_MEMBER } from '../why-not.js'
import { at } from '../../shape/view.js'
import type { Rule, StepView } from '../rule.js'

export const stepIdDuplicate = {
  code: 'SVC4005',
  slug: 'step-id-duplicate',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: 'A step id is used once.',
  schema: { composition: members({ steps: DISTINCT }) },
  whyNot: ONE_MEMBER,
  needs: 'composition',
  ofCapability({ capability: { composition } }, report) {
    const first = new Map<string, StepView>()
    for (const step of composition?.steps ?? []) {
      if (step.id === undefined) continue
      const earlier = first.get(step.id)
      if (earlier === undefined) first.set(step.id, step)
      else
        report(at(step, 'id'), `The step id \`${step.id}\` is used twice; rename one.`, {
          related: [{ span: at(earlier, 'id'), message: 'It is used here first.' }],
        })
    }
  },
} satisfies Rule
