import { ownerOf, hasAllItems } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const outputFieldsEmpty = {
  code: 'SVC2004',
  slug: 'output-fields-empty',
  severity: 'warning',
  source: 'D',
  section: '2.4',
  description: 'An output names its fields.',
  why: 'Callers and mappings cannot name what is not declared.',
  ofCapability({ capability }, report) {
    const fields = capability.output?.fields
    if (fields === undefined || fields.length > 0 || !hasAllItems(fields)) return
    report(ownerOf(fields), '`output.fields` is empty, so callers and mappings can name no field; list them.')
  },
} satisfies Rule
