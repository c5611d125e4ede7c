import { GRANT_TYPES, type ApprovalComparison, type CostComparison } from '../../../protocol/words.js'
import { judged, required, type Field, type ManifestShape } from '../field.js'
import { amount, any, count, list, object, oneOf, text, word } from '../kinds.js'

export const GRANT_POLICY: ManifestShape = {
  title: 'grant policy',
  fields: {
    allowed_grant_types: judged({ gained: 'SVC9152', lost: 'SVC9151' }, required(list('Bounds of the grants that an approver may give [2.12].', word('A grant type.', GRANT_TYPES, { codes: { word: 'SVC7001' } }), { min: 1, distinct: true, codes: { few: 'SVC7002' } }))),
    default_grant_type: judged({ ranks: GRANT_TYPES, raised: 'SVC9218', lowered: ['SVC9218', 'compatible'] }, required(word('Default grant type [2.12].', GRANT_TYPES, { codes: { word: 'SVC7001' } }))),
    expires_in_seconds: judged({ higher: 'SVC9152', lower: 'SVC9151', absent: 0 }, required(count('The longest life of a grant, in seconds [2.12].', { codes: { range: 'SVC7004' } }))),
    max_uses: judged({ higher: 'SVC9152', lower: 'SVC9151', absent: 1 }, required(count('The most uses of a grant [2.12].', { codes: { range: 'SVC7005' } }))),
  },
} // prettier-ignore

const COST_CONDITION: ManifestShape = {
  title: 'condition on cost',
  fields: {
    above: judged({ with: 'required', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] }, amount('The cost is above this.')),
    at_least: judged(
      { with: 'required', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] },
      amount('The cost is this or above.'),
    ),
  } satisfies { readonly [name in CostComparison]: Field },
}

const CONDITION: ManifestShape = {
  title: 'approval condition',
  fields: {
    input: judged({ with: 'required', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] }, text('The input that is compared.')),
    cost: judged(
      { with: 'required', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] },
      object(
        'The checked cost is compared: the price of a quote where a binding fixes it, in the currency of ' +
          '`cost.financial`.',
        COST_CONDITION,
      ),
    ),
    equals: judged({ with: 'required', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] }, any('The value equals this.')),
    not_equals: judged(
      { with: 'required', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] },
      any('The value differs from this.'),
    ),
    in: judged(
      { with: 'required', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] },
      list('The value is one of these.', any('A value.'), { min: 1 }),
    ),
    above: judged(
      { with: 'required', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] },
      any('The number, date or duration is above this.'),
    ),
    at_least: judged({ with: 'required', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] }, any('It is this or above.')),
    below: judged({ with: 'required', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] }, any('It is below this.')),
    at_most: judged({ with: 'required', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] }, any('It is this or below.')),
  } satisfies { readonly [name in ApprovalComparison | 'input' | 'cost']: Field },
}

const WHEN: ManifestShape = {
  title: 'approval requirement',
  fields: {
    when: judged(
      { with: 'required', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] },
      required(
        list('Conditions that must all hold.', object('A condition on one input, or on the cost.', CONDITION), {
          min: 1,
        }),
      ),
    ),
  },
}

const TIER: ManifestShape = {
  title: 'approval tier',
  fields: {
    cost_above: judged({ with: 'tiers', kinds: ['SVC9221'] }, required(amount('The checked cost is above this, in the currency of `cost.financial`.'))),
    approver_scope: judged({ with: 'tiers', kinds: ['SVC9221'] }, required(text('The only scope that may approve in this tier.', { format: 'scope', examples: ['finance.approver'] }))),
  },
} // prettier-ignore

export const APPROVAL: ManifestShape = {
  title: 'approval',
  scalarMeans: 'required',
  fields: {
    required: judged({ judge: 'approvalRequired', kinds: ['SVC9215', 'SVC9216', 'SVC9217'] }, required(oneOf('Condition of an approval: always, when the handler requires it, or when conditions hold.', {
      scalar: word('always: each call; handler: the handler decides.', ['always', 'handler']),
      map: object('Needed if all conditions hold.', WHEN),
    }))),
    grant_policy: judged({ fields: {} }, required(object('Bounds of the grants that an approver may give [2.12].', GRANT_POLICY))),
    approvers: judged({ higher: 'SVC9220', lower: 'SVC9219', absent: 1 }, count('Number of different approvers, 1 to 5; default 1.')),
    tiers: judged({ any: 'SVC9221' }, list('Approver scopes by cost: the tier with the highest amount below the checked cost applies.', object('An amount, and who approves above it.', TIER), { min: 1 })),
    preview: judged({ added: 'SVC9267', removed: 'SVC9270' }, word('must_hold: made again before the call; another one is asked about.', ['must_hold'])),
  },
} // prettier-ignore
