import type { Rule } from './rule.js'

export const commentsDoNotSwallowValues = {
  code: 'SVC0122',
  slug: 'yaml-comment-swallow',
  severity: 'warning',
  source: 'Y',
  law: 'A value that begins with `#` is quoted.',
  why: 'After a space, # starts a comment.',
} satisfies Rule
