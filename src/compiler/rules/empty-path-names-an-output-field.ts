import type { Rule } from './rule.js'

export const emptyPathNamesAnOutputField = {
  code: 'SVC4210',
  slug: 'empty-path-unknown',
  severity: 'error',
  source: 'A',
  section: '2.8',
  law: '`empty_result_path` is `$.` and an output field of its step.',
} satisfies Rule
