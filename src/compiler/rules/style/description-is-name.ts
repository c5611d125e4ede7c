import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const words = (text: string): string => text.toLowerCase().replaceAll(/[^a-z0-9]+/gu, '')

export const descriptionIsName = {
  code: 'SVC6102',
  slug: 'description-is-name',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'A description says more than the name.',
  ofCapability({ name, capability }, report) {
    if (
      capability.description !== undefined &&
      capability.description.length >= 12 &&
      capability.description.length < name.length + 12 &&
      words(capability.description) === words(name)
    )
      report(
        at(capability, 'description'),
        'The description repeats the name; say what it does, on what, and what it returns.',
      )
  },
} satisfies Rule
