import { at } from '../../shape/view.js'
import { conditionsOf } from '../facts/conditions.js'
import type { Rule } from '../rule.js'

const NUMBERS = ['integer', 'number']

export const approvalConditionOneSided = {
  code: 'SVC7017',
  slug: 'approval-condition-one-sided',
  severity: 'info',
  source: 'L',
  section: '2.12',
  description: 'A condition on a number leaves no negative amount without an approval.',
  why: 'An amount of -600 is not above 500; if a handler takes it for a payment, nobody approves it.',
  needs: 'approval',
  ofCapability({ capability }, report) {
    for (const [condition, input] of conditionsOf(capability)) {
      if (input.type === undefined || !NUMBERS.includes(input.type) || input.allowed_values !== undefined) continue
      const comparison = condition.above === undefined ? 'at_least' : 'above'
      if (typeof condition[comparison] !== 'number' || condition[comparison] < 0) continue
      report(
        at(condition, comparison),
        `A negative \`${input.name}\` needs no approval; let the handler refuse it, or close the values of the input.`,
      )
    }
  },
} satisfies Rule
