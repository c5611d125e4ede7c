import { outputFieldSpots } from '../facts/names.js'
import { isSecretName } from '../facts/secrets.js'
import type { Rule } from '../rule.js'

export const secretOutput = {
  code: 'SVC5007',
  slug: 'secret-output',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  law: 'An output field holds no credential.',
  why: 'It would pass through an agent.',
  ofCapability({ capability }, tell) {
    for (const { name, spot } of outputFieldSpots(capability))
      if (isSecretName(name)) tell(spot, `The output field \`${name}\` gives a credential to the agent.`)
  },
} satisfies Rule
