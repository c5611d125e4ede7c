import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { members } from '../schema-part.js'

/** Each approver is a person who reads the request: more of them decide less. */
const MOST_APPROVERS = 5

export const approversRange = {
  code: 'SVC7020',
  slug: 'approvers-range',
  severity: 'error',
  source: 'A',
  section: '2.12',
  description: 'An approval takes 1 to 5 approvers.',
  schema: { approval: members({ approvers: { type: 'integer', maximum: MOST_APPROVERS } }) },
  needs: 'approval',
  ofCapability({ capability: { approval } }, report) {
    const count = approval?.approvers
    if (count !== undefined && count > MOST_APPROVERS)
      report(at(approval!, 'approvers'), `\`approvers\` is at most ${MOST_APPROVERS}, but is ${count}.`)
  },
} satisfies Rule
