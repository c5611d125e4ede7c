import { keyOf, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const entityWithoutResolution = {
  code: 'SVC2309',
  slug: 'entity-without-resolution',
  severity: 'warning',
  source: 'D',
  section: '2.5',
  description: 'An entity reference says how it is resolved.',
  needs: 'entity_reference',
  ofInput({ input }, report) {
    if (input.entity_reference !== true || !isAbsent(input, 'resolution') || !isAbsent(input, 'catalog_ref')) return
    report(
      keyOf(input, 'entity_reference'),
      `\`${input.name}\` names an entity, but has neither \`resolution\` nor \`catalog_ref\`.`,
    )
  },
} satisfies Rule
