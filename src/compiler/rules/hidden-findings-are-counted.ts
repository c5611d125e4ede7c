import type { Rule } from './rule.js'

export const hiddenFindingsAreCounted = {
  code: 'SVC0011',
  slug: 'truncated',
  severity: 'info',
  source: 'Y',
  law: 'A report that does not print every finding says how many there are; the exit code counts them all.',
  why: 'Otherwise the last finding printed would pass for the last one; `--max-problems 0` prints all.',
} satisfies Rule
