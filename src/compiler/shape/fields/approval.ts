import { GRANT_TYPES, type ApprovalComparison, type CostComparison } from '../../../protocol/words.js'
import { required, type Field, type Shape } from '../field.js'
import { amount, any, count, list, object, oneOf, text, word } from '../kinds.js'

export const GRANT_POLICY: Shape = {
  title: 'grant policy',
  fields: {
    allowed_grant_types: required(list('What an approver may grant [2.12].', word('A grant type.', GRANT_TYPES, { codes: { word: 'SVC7001' } }), { min: 1, distinct: true, codes: { few: 'SVC7002' } })),
    default_grant_type: required(word('What is granted when the approver does not say [2.12].', GRANT_TYPES, { codes: { word: 'SVC7001' } })),
    expires_in_seconds: required(count('The longest life of a grant, in seconds [2.12].', { codes: { range: 'SVC7004' } })),
    max_uses: required(count('The most uses of a grant [2.12].', { codes: { range: 'SVC7005' } })),
  },
} // prettier-ignore

const COST_CONDITION: Shape = {
  title: 'condition on cost',
  fields: {
    above: amount('The cost is above this.'),
    at_least: amount('The cost is this or above.'),
  } satisfies { readonly [name in CostComparison]: Field },
}

const CONDITION: Shape = {
  title: 'approval condition',
  fields: {
    input: text('The input that is compared.'),
    cost: object(
      'The checked cost is compared: the price of a quote where a binding fixes it, in the currency of ' +
        '`cost.financial`.',
      COST_CONDITION,
    ),
    equals: any('The value equals this.'),
    not_equals: any('The value differs from this.'),
    in: list('The value is one of these.', any('A value.'), { min: 1 }),
    above: any('The number, date or duration is above this.'),
    at_least: any('It is this or above.'),
    below: any('It is below this.'),
    at_most: any('It is this or below.'),
  } satisfies { readonly [name in ApprovalComparison | 'input' | 'cost']: Field },
}

const WHEN: Shape = {
  title: 'approval requirement',
  fields: {
    when: required(
      list('Conditions that must all hold.', object('A condition on one input, or on the cost.', CONDITION), {
        min: 1,
      }),
    ),
  },
}

const TIER: Shape = {
  title: 'approval tier',
  fields: {
    cost_above: required(amount('The checked cost is above this, in the currency of `cost.financial`.')),
    approver_scope: required(text('Who may then approve, and nobody else.', { format: 'scope', examples: ['finance.approver'] })),
  },
} // prettier-ignore

export const APPROVAL: Shape = {
  title: 'approval',
  scalarMeans: 'required',
  fields: {
    required: required(oneOf('When an approval is needed: always, when the handler says so, or when conditions hold.', {
      scalar: word('always: each call; handler: the handler decides.', ['always', 'handler']),
      map: object('When all conditions hold.', WHEN),
    })),
    grant_policy: required(object('What an approver may grant [2.12].', GRANT_POLICY)),
    approvers: count('How many different people must approve, 1 to 5; default 1.'),
    tiers: list('Who approves what costs more: the highest amount that the checked cost exceeds decides.', object('An amount, and who approves above it.', TIER), { min: 1 }),
  },
} // prettier-ignore
