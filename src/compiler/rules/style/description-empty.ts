import { at, type ViewObject } from '../../shape/view.js'
import type { RuleReport, Rule } from '../rule.js'

export const descriptionEmpty = {
  code: 'SVC6115',
  slug: 'description-empty',
  severity: 'warning',
  source: 'L',
  section: '2.4,2.5',
  description: 'A description is not empty.',
  ofManifest({ manifest }, report) {
    const identity = manifest.service_identity
    if (identity !== undefined) reportEmpty(identity, report)
  },
  ofCapability({ capability }, report) {
    for (const field of capability.output?.fields ?? []) reportEmpty(field, report)
  },
  ofInput({ input }, report) {
    reportEmpty(input, report)
    const meanings = input.input_meanings
    if (Array.isArray(meanings)) for (const meaning of meanings) reportEmpty(meaning as Described, report)
  },
} satisfies Rule

type Described = ViewObject<{ readonly description?: string }>

function reportEmpty(part: Described, report: RuleReport): void {
  if (part.description?.trim() === '')
    report(at(part, 'description'), 'The description is empty; write one, or remove the key.')
}
