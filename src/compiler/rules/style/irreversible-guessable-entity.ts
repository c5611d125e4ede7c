import { at, isAbsent } from '../../shape/view.js'
import { isIrreversible } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const irreversibleGuessableEntity = {
  code: 'SVC6012',
  slug: 'irreversible-guessable-entity',
  severity: 'warning',
  source: 'L',
  section: '2.6',
  description: 'The entity that an irreversible action acts on is resolved.',
  needs: 'entity_reference',
  ofInput({ capability, input }, report) {
    if (
      !isIrreversible(capability) ||
      input.entity_reference !== true ||
      input.catalog_ref === undefined ||
      !isAbsent(input, 'resolution')
    )
      return
    report(
      at(input, 'name'),
      `The action is irreversible, and its target \`${input.name}\` has no \`resolution\`: a guessed id would do.`,
    )
  },
} satisfies Rule
