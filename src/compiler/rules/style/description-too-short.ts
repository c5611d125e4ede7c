import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const SHORTEST = 12

export const descriptionTooShort = {
  code: 'SVC6101',
  slug: 'description-too-short',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'A description says what, on what, and what it returns.',
  ofCapability({ capability }, report) {
    const length = capability.description?.trim().length ?? SHORTEST
    if (length < SHORTEST && !/^(?:todo|tbd|fixme)/i.test(capability.description!))
      report(
        at(capability, 'description'),
        `The description has ${length} characters; say what it does, on what, and what it returns.`,
      )
  },
} satisfies Rule
