import { ownerOf, hasAllItems } from '../../shape/view.js'
import { isReading } from '../facts/effects.js'
import type { Rule } from '../rule.js'

export const scopeEmptyOnRead = {
  code: 'SVC2205',
  slug: 'scope-empty-on-read',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'A capability that reads needs a scope.',
  why: 'Otherwise every token may read this.',
  ofCapability({ capability }, report) {
    const scopes = capability.minimum_scope
    if (scopes?.length !== 0 || !hasAllItems(scopes) || !isReading(capability)) return
    report(ownerOf(scopes), '`minimum_scope: []`: every token may read this; require a scope.')
  },
} satisfies Rule
