import { outputFieldSpans } from '../facts/names.js'
import { isSecretName } from '../facts/secrets.js'
import type { Rule } from '../rule.js'

export const secretOutput = {
  code: 'SVC5007',
  slug: 'secret-output',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'An output field holds no credential.',
  why: 'It would pass through an agent.',
  ofCapability({ capability }, report) {
    for (const { name, span } of outputFieldSpans(capability))
      if (isSecretName(name)) report(span, `The output field \`${name}\` gives a credential to the agent.`)
  },
} satisfies Rule
