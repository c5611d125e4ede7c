import { at } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { outputNames } from '../facts/names.js'
import { childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const emptyPathUnknown = {
  code: 'SVC4210',
  slug: 'empty-path-unknown',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: '`empty_result_path` is `$.` and an output field of its step.',
  whyNot: OTHER_CAPABILITY,
  ofStep(facts, report) {
    const path = facts.step.empty_result_path
    const child = childOf(facts, facts.step)
    const fields = child === undefined ? undefined : outputNames(child)
    if (path === undefined || fields === undefined || fields.includes(path.slice(2))) return
    const field = nearest(path.slice(2), fields)
    const near = field === undefined ? undefined : `$.${field}`
    report(
      at(facts.step, 'empty_result_path'),
      `\`${path}\` is not an output field of \`${facts.step.capability}\`.${question(near)}`,
      meant(near),
    )
  },
} satisfies Rule
