import { keyOf, hasAllItems } from '../../shape/view.js'
import { inputsOf, stepsOf } from '../facts/names.js'
import { shownValue, sameValue } from '../facts/values.js'
import { mappingsOf, childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const mappingAllowedValues = {
  code: 'SVC4111',
  slug: 'mapping-allowed-values',
  severity: 'warning',
  source: 'D',
  section: '2.8',
  description: 'What a parent input allows, the child input that it feeds allows, too.',
  needs: 'composition',
  ofCapability(facts, report) {
    const parents = inputsOf(facts.capability)
    const steps = stepsOf(facts.capability)
    for (const { step: id, target, source, span } of mappingsOf(facts.capability)) {
      const child = id === undefined ? undefined : childOf(facts, steps?.get(id))
      const to = child === undefined ? undefined : inputsOf(child)?.get(target)
      const from = source?.kind === 'input' ? parents?.get(source.input) : undefined
      const allowed = to?.allowed_values
      if (allowed === undefined || from?.allowed_values === undefined || !hasAllItems(allowed)) continue
      const extra = from.allowed_values.find((value) => !allowed.some((each) => sameValue(each, value)))
      if (extra !== undefined)
        report(span, `The parent allows ${shownValue(extra)}, \`${target}\` of the step \`${id}\` does not.`, {
          related: [{ span: keyOf(to!, 'allowed_values'), message: 'The child allows these.' }],
        })
    }
  },
} satisfies Rule
