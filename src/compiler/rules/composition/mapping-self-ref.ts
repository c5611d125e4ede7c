import { mappingsOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { TWO_VALUES } from '../why-not.js'

export const mappingSelfRef = {
  code: 'SVC4108',
  slug: 'mapping-self-ref',
  severity: 'error',
  source: 'D',
  section: '2.8',
  description: 'A step does not read its own output.',
  whyNot: TWO_VALUES,
  needs: 'composition',
  ofCapability({ capability }, report) {
    for (const { step, source, span } of mappingsOf(capability))
      if (source?.kind === 'step' && source.step === step) report(span, `The step \`${step}\` reads its own output.`)
  },
} satisfies Rule
