import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const entityFlagMismatch = {
  code: 'SVC2308',
  slug: 'entity-flag-mismatch',
  severity: 'warning',
  source: 'D',
  section: '2.5',
  description: '`semantic_type: entity_reference` and `entity_reference` agree.',
  needs: 'semantic_type',
  ofInput({ input }, report) {
    if (input.semantic_type !== 'entity_reference' || input.entity_reference !== false) return
    report(
      at(input, 'entity_reference'),
      '`semantic_type` is entity_reference, but `entity_reference` is false; make them agree.',
      {
        related: [{ span: at(input, 'semantic_type'), message: 'The semantic type is here.' }],
      },
    )
  },
} satisfies Rule
