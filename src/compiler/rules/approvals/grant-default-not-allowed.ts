import { GRANT_TYPES } from '../../../protocol/words.js'
import { at, keyOf, hasAllItems } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { allHold, members, says, someItem, when } from '../schema-part.js'

export const grantDefaultNotAllowed = {
  code: 'SVC7003',
  slug: 'grant-default-not-allowed',
  severity: 'error',
  source: 'A',
  section: '2.12',
  description: '`default_grant_type` is among the allowed types.',
  schema: {
    'grant policy': allHold(
      ...GRANT_TYPES.map((type) =>
        when(says({ default_grant_type: type }), members({ allowed_grant_types: someItem({ const: type }) })),
      ),
    ),
  },
  needs: 'approval',
  ofCapability({ capability: { approval } }, report) {
    const policy = approval?.grant_policy
    const { allowed_grant_types: allowed, default_grant_type: chosen } = policy ?? {}
    if (
      policy === undefined ||
      allowed === undefined ||
      chosen === undefined ||
      allowed.length === 0 ||
      !hasAllItems(allowed) ||
      allowed.includes(chosen)
    )
      return
    report(at(policy, 'default_grant_type'), `\`default_grant_type\` ${chosen} is not in \`allowed_grant_types\`.`, {
      related: [{ span: keyOf(policy, 'allowed_grant_types'), message: 'These are allowed.' }],
    })
  },
} satisfies Rule
