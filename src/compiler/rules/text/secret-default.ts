import { at } from '../../shape/view.js'
import { SECRET_NAME, secretIn, isSecretName } from '../facts/secrets.js'
import type { Rule } from '../rule.js'
import { members, none, says, when } from '../schema-part.js'

export const secretDefault = {
  code: 'SVC5005',
  slug: 'secret-default',
  severity: 'error',
  source: 'D',
  section: '2.5',
  description: 'An input that holds a credential has no default.',
  schema: {
    input: when(
      says({ name: { type: 'string', pattern: SECRET_NAME } }),
      members({ default: none({ type: 'string' }) }),
    ),
  },
  secret: true,
  needs: 'default',
  ofInput({ input }, report) {
    if (
      input.name === undefined ||
      !isSecretName(input.name) ||
      typeof input.default !== 'string' ||
      secretIn(input.default) !== undefined
    )
      return
    report(
      at(input, 'default'),
      `The input \`${input.name}\` has a literal default; a manifest holds no credentials. Remove it.`,
    )
  },
} satisfies Rule
