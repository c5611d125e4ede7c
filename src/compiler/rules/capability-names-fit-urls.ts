import type { Rule } from './rule.js'

export const capabilityNamesFitUrls = {
  code: 'SVC1004',
  slug: 'capability-name-syntax',
  severity: 'error',
  source: 'D',
  section: '2.3,4.6',
  law: 'A capability name is lower-case words joined by `_`, in parts joined by `.`.',
  why: 'It becomes the path /svc/invoke/{capability}, a file name and an identifier.',
} satisfies Rule
