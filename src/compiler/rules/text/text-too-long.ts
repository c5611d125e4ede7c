import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const LONGEST = 1000

export const textTooLong = {
  code: 'SVC5106',
  slug: 'text-too-long',
  severity: 'info',
  source: 'L',
  section: '2.4',
  description: 'A description has at most 1,000 characters.',
  why: 'Discovery repeats it, and agents pay for it.',
  ofCapability({ capability }, report) {
    const length = capability.description?.length ?? 0
    if (length > LONGEST)
      report(
        at(capability, 'description'),
        `The description has ${length} characters; discovery repeats it. Say it in ${LONGEST}.`,
      )
  },
} satisfies Rule
