import type { Rule } from './rule.js'

export const includesStayInside = {
  code: 'SVC0129',
  slug: 'include-escape',
  severity: 'error',
  source: 'Y',
  law: 'An include stays inside the folder of the manifest.',
} satisfies Rule
