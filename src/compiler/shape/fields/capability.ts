import {
  CAPABILITY_KINDS,
  CONTROL_REQUIREMENTS,
  COST_CERTAINTIES,
  PRINCIPAL_CLASSES,
  RESPONSE_MODES,
  SIDE_EFFECTS,
} from '../../../protocol/words.js'
import { ENDLESS } from '../change-rule.js'
import { decided, judged, required, unenforced, type ManifestShape } from '../field.js'
import { amount, any, flag, list, map, object, oneOf, text, word } from '../kinds.js'
import { APPROVAL } from './approval.js'
import { COMPOSITION } from './composition.js'
import { INPUT } from './input.js'
import { COMPANION, CROSS_SERVICE, CROSS_SERVICE_CONTRACT, SESSION } from './relations.js'

const OUTPUT_FIELD: ManifestShape = {
  title: 'output field',
  fields: {
    name: judged({ with: 'fields', kinds: ['SVC9051', 'SVC9052', 'SVC9053'] }, required(text('The field name.', { format: 'identifier', codes: { format: 'SVC2005' } }))),
    type: judged({ judge: 'outputType', kinds: ['SVC9202', 'SVC9251', 'SVC9252'] }, oneOf("A type as for inputs, or any, which may be null; a list such as [string, 'null'] where there may be no value; default any.", {
      scalar: text('A type as for inputs, or any.', { examples: ['array', 'string'] }),
      list: list("A type, and 'null'.", text("A type as for inputs, or 'null'.", { mayBeNull: true, examples: ['string', 'null'] })),
    })),
    description: judged({ any: 'SVC9203' }, text('Description of the field.', { mayBeBlank: true })),
    'x-schema': judged({ judge: 'outputSchema', kinds: ['SVC9254', 'SVC9255'] }, any('What is inside the value, as for inputs; null is allowed where it says so and the type is any.', { mayBeNull: true })),
  },
} // prettier-ignore

const OUTPUT: ManifestShape = {
  title: 'output',
  fields: {
    type: judged({ any: 'SVC9054' }, required(text('Name of the result type [2.4].', { examples: ['flight_list'] }))),
    fields: judged({ judge: 'outputFields', kinds: ['SVC9051', 'SVC9052', 'SVC9053', 'SVC9055'] }, required(list('Names of the result fields, or {name, type, description} [2.4].', oneOf('A field name, or {name, type, description}.', {
      scalar: text('A field name of type any.', { format: 'identifier', codes: { format: 'SVC2005' } }),
      map: object('A typed field.', OUTPUT_FIELD),
    })))),
  },
} // prettier-ignore

const SIDE_EFFECT: ManifestShape = {
  title: 'side effect',
  scalarMeans: 'type',
  codes: { type: 'SVC2009' },
  fields: {
    type: judged({ with: 'side_effect', kinds: ['SVC9061', 'SVC9062', 'SVC9063', 'SVC9064'] }, required(word('read changes nothing; write is reversible; transactional has a rollback window; irreversible is permanent [2.4].', SIDE_EFFECTS))),
    rollback_window: judged({ longer: 'SVC9066', shorter: 'SVC9065', absent: 0 }, text('Time in which the change can be undone; only for transactional [2.4].', { format: 'duration' })),
    compensation: judged({ added: 'SVC9068', removed: 'SVC9067', changed: 'SVC9069' }, text('The capability that undoes the change; only for transactional [2.4].')),
  },
} // prettier-ignore

const FINANCIAL: ManifestShape = {
  title: 'financial cost',
  fields: {
    currency: judged({ any: 'SVC9085' }, required(text('ISO 4217 code [2.7].', { format: 'currency', codes: { format: 'SVC2506' } }), 'SVC2505')),
    amount: judged({ with: 'cost', kinds: ['SVC9083', 'SVC9084'] }, amount('Cost of a call; checked against budgets if certainty is fixed [2.7].', { codes: { range: 'SVC2508' } })),
    upper_bound: judged({ with: 'cost', kinds: ['SVC9083', 'SVC9084'] }, amount('Maximum cost of a call; checked against budgets if certainty is dynamic [2.7].', { codes: { range: 'SVC2508' } })),
    range_min: judged({ with: 'cost', kinds: ['SVC9084', 'SVC9090'] }, amount('The least that a call usually costs [2.7].', { codes: { range: 'SVC2508' } })),
    range_max: judged({ with: 'cost', kinds: ['SVC9083', 'SVC9084', 'SVC9090'] }, amount('The most that a call usually costs [2.7].', { codes: { range: 'SVC2508' } })),
    typical: judged({ any: 'SVC9206' }, amount('Typical cost of a call [2.7].', { codes: { range: 'SVC2508' } })),
    'x-amount-input': judged({ judge: 'amountInput', kinds: ['SVC9208', 'SVC9209'] }, any('The required numeric input that says what the call costs, checked before the handler runs; false where no input does. Only for dynamic, without a binding.', { examples: ['amount', false] })),
  },
} // prettier-ignore

const COMPUTE: ManifestShape = {
  title: 'compute cost',
  open: true,
  fields: {
    expected_duration: judged(
      { with: 'compute', kinds: ['SVC9206'] },
      text('Duration of a call [2.7].', { format: 'duration', codes: { format: 'SVC2521' } }),
    ),
  },
}

/** `200` and `200 EUR` are most likely a fixed price. */
function fixedCost(text: string): string | undefined {
  const [, amount, currency = 'EUR'] = /^(\d+(?:\.\d+)?)\s*([A-Z]{3})?$/u.exec(text) ?? []
  return amount === undefined
    ? undefined
    : `{ certainty: fixed, financial: { currency: ${currency}, amount: ${amount} } }`
}

const COST: ManifestShape = {
  title: 'cost',
  scalarMeans: 'certainty',
  amountMeans: fixedCost,
  fields: {
    certainty: judged({ with: 'cost', kinds: ['SVC9083', 'SVC9086', 'SVC9087', 'SVC9088', 'SVC9207'] }, required(word('fixed: amount is exact; estimated: a binding pins the price; dynamic: upper_bound holds [2.7].', COST_CERTAINTIES, { codes: { word: 'SVC2501' } }))),
    financial: judged({ fields: { added: 'SVC9081', removed: 'SVC9082' } }, object('The price in money [2.7].', FINANCIAL)),
    compute: judged({ any: 'SVC9206' }, object('The price in time and resources [2.7].', COMPUTE)),
    determined_by: judged({ added: ['SVC9089', 'compatible'], removed: 'SVC9089', changed: 'SVC9089' }, text('Source of the cost [2.7].')),
    factors: judged({ any: 'SVC9206' }, unenforced(list('Influences on the cost.', text('An influence.', { examples: ['demand'] })))),
    rate_limit: judged({ any: 'SVC9206' }, unenforced(map('Rate limit of the capability, as hints.', any('A hint.')))),
  },
} // prettier-ignore

const REQUIREMENT: ManifestShape = {
  title: 'prerequisite',
  fields: {
    capability: judged(
      { ignored: 'Items are known by it: another one is another item.' },
      required(text('A capability of this manifest [2.4].')),
    ),
    reason: judged({ any: 'SVC9210' }, required(text('Why it comes first [2.4].'), 'SVC3005')),
  },
}

const BINDING: ManifestShape = {
  title: 'binding requirement',
  fields: {
    type: judged({ any: 'SVC9107' }, required(text('Kind of the binding.', { examples: ['quote'] }), 'SVC2604')),
    field: judged(
      { with: 'requires_binding', kinds: ['SVC9103', 'SVC9104', 'SVC9107'] },
      required(text('The declared input that carries the binding id.'), 'SVC2604'),
    ),
    source_capability: judged(
      { added: ['SVC9108', 'breaking'], removed: 'SVC9108', changed: 'SVC9108' },
      text('The capability that issues the binding.'),
    ),
    max_age: judged(
      { longer: 'SVC9106', shorter: 'SVC9105', absent: ENDLESS },
      text('Maximum age of the binding.', { format: 'duration', codes: { format: 'SVC2610' } }),
    ),
  },
}

const CONTROL: ManifestShape = {
  title: 'control requirement',
  scalarMeans: 'type',
  fields: {
    type: judged({ ignored: 'Items are known by it: another one is another item.' }, required(word('cost_ceiling: the token must have a budget; stronger_delegation_required: it must be bound to the capability [2.4].', CONTROL_REQUIREMENTS, { codes: { word: 'SVC2601' } }))),
    enforcement: judged({ added: ['SVC9260', 'compatible'], removed: 'SVC9260' }, word('Only reject is defined.', ['reject'], { codes: { word: 'SVC2602' } })),
  },
} // prettier-ignore

const EFFECTS: ManifestShape = {
  title: 'business effects',
  codes: { unknown: 'SVC2613' },
  fields: {
    produces: judged(
      { gained: 'SVC9145', lost: 'SVC9212' },
      list('Effects of a call [2.4].', text('An effect.'), { distinct: true }),
    ),
    does_not_produce: judged(
      { gained: 'SVC9213', lost: 'SVC9146' },
      list('Effects that a call never has [2.4].', text('An effect.'), { distinct: true }),
    ),
  },
}

const OBSERVABILITY: ManifestShape = {
  title: 'observability',
  fields: {
    logged: judged(
      { on: 'SVC9214', off: 'SVC9137', absent: true },
      flag('Recording of calls; each call is recorded [2.4].'),
    ),
    retention: judged(
      { longer: 'SVC9134', shorter: 'SVC9133', absent: ENDLESS },
      text('Time for which audit entries keep their content [2.4].', {
        format: 'duration',
        codes: { format: 'SVC2703' },
      }),
    ),
    fields_logged: judged(
      { gained: 'SVC9135', lost: 'SVC9136' },
      list('Inputs whose values the audit entry keeps [2.4].', text('An input.'), { distinct: true }),
    ),
    audit_accessible_by: judged(
      { any: 'SVC9265' },
      unenforced(list('Readers of the audit entries.', text('A reader.', { examples: ['delegation.root_principal'] }))),
    ),
  },
}

const UPSTREAM: ManifestShape = {
  title: 'upstream terms',
  fields: {
    answers: judged(
      { ranks: ['loose', 'strict'], raised: 'SVC9262', lowered: 'SVC9261' },
      word('Handling of a read whose response deviates from its description; default loose.', ['loose', 'strict']),
    ),
    slashes: judged(
      { gained: 'SVC9263', lost: 'SVC9262' },
      list('Inputs in a path that may hold slashes.', text('An input.', { examples: ['file_path'] }), {
        min: 1,
        distinct: true,
      }),
    ),
    connection: judged(
      { any: 'SVC9266' },
      text('Upstream system at which a call uses the account of its root principal.', { examples: ['mail'] }),
    ),
  },
}

export const CAPABILITY: ManifestShape = {
  title: 'capability',
  fields: {
    description: judged({ judge: 'description', kinds: ['SVC9004', 'SVC9005'] }, required(text('Action, object and result of the capability: agents choose by it [2.4].', { codes: { blank: 'SVC2001' } }))),
    contract_version: judged({ with: 'capabilities', kinds: ['SVC9161', 'SVC9162', 'SVC9163', 'SVC9164', 'SVC9165'] }, required(text("Semantic version of this capability's contract [2.4].", { format: 'semver', codes: { format: 'SVC1304' } }))),
    kind: judged({ ranks: CAPABILITY_KINDS, raised: 'SVC9121', lowered: 'SVC9122' }, word('composed runs other capabilities as steps; default atomic [2.4].', CAPABILITY_KINDS, { codes: { word: 'SVC2006' } })),
    side_effect: judged({ judge: 'sideEffect', kinds: ['SVC9061', 'SVC9062', 'SVC9063', 'SVC9064'] }, decided('what a call does to the world: `{ type: read }`, write, transactional or irreversible', required(object('What a call does to the world [2.4].', SIDE_EFFECT, { codes: { type: 'SVC2009' } })))),
    minimum_scope: judged({ gained: 'SVC9071', lost: 'SVC9072', emptied: 'SVC9073' }, decided('the scopes that a token needs, such as `[issues.read]`', required(list('Scope strings that a token needs; compared exactly [2.4].', text('A scope.', { format: 'scope', codes: { format: 'SVC2201' } }), { distinct: true })))),
    inputs: judged({ judge: 'inputs', kinds: ['SVC9011', 'SVC9012', 'SVC9013', 'SVC9016', 'SVC9022'] }, required(list('Input declarations [2.4].', object('An input.', INPUT)))),
    output: judged({ fields: {} }, required(object('Result of a call [2.4].', OUTPUT))),
    cost: judged({ judge: 'cost', kinds: ['SVC9083', 'SVC9084', 'SVC9086', 'SVC9087', 'SVC9088', 'SVC9090', 'SVC9207'] }, decided('what a call costs, or remove the line where it costs nothing', object('What a call costs [2.7].', COST))),
    requires: judged({ items: 'capability', added: 'SVC9101', removed: 'SVC9102' }, list('Advisory prerequisites [2.4].', object('A capability and why it comes first.', REQUIREMENT))),
    composition: judged({ judge: 'composition', kinds: [] }, object('The steps of a composed capability [2.8].', COMPOSITION)),
    business_effects: judged({ fields: {} }, object('Declared outcomes, and explicit non-outcomes [2.4].', EFFECTS)),
    requires_binding: judged({ judge: 'bindings', kinds: ['SVC9103', 'SVC9104', 'SVC9107'] }, list('Bindings that a call needs, such as a quote that fixes its price [2.4].', object('A binding.', BINDING))),
    control_requirements: judged({ items: 'type', added: 'SVC9111', removed: 'SVC9112' }, list('Requirements of the token, visible in permission discovery [2.4].', object('A control requirement.', CONTROL))),
    requires_principal: judged({ judge: 'principals', kinds: ['SVC9204', 'SVC9205'] }, oneOf('Principal classes that may call, as root of their own token [5.9].', {
      scalar: word('A principal class.', PRINCIPAL_CLASSES),
      list: list('Principal classes.', word('A principal class.', PRINCIPAL_CLASSES), { min: 1, distinct: true }),
    })),
    approval: judged({ fields: { added: 'SVC9153', removed: 'SVC9154' } }, decided('when somebody must approve a call, or remove the line where nobody must', object('When a call needs an approval, and what an approver may grant [2.12].', APPROVAL))),
    'x-title': judged({ any: 'SVC9226' }, text('Display name of the capability for people and agents.', { examples: ['Book a flight'] })),
    'x-exclusive-by': judged({ judge: 'exclusion', kinds: ['SVC9228', 'SVC9229'] }, list('Inputs whose values exclude each other: at most one call with the same values runs at a time.', text('An input.', { examples: ['warehouse'] }), { min: 1, distinct: true })),
    'x-upstream': judged({ fields: {} }, object('Terms of upstream calls.', UPSTREAM)),
    response_modes: judged({ gained: 'SVC9132', lost: 'SVC9131' }, list('Response modes: unary, streaming or both; default unary [2.4].', word('A response mode.', RESPONSE_MODES, { codes: { word: 'SVC2701' } }), { min: 1, distinct: true, codes: { few: 'SVC2702' } })),
    observability: judged({ fields: {} }, object('Contents of the audit entry [2.4].', OBSERVABILITY)),
    refresh_via: judged({ judge: 'refreshVia', kinds: ['SVC9141'] }, list('Advisory: capabilities to invoke again when an artifact is stale or missing [2.4].', text('A capability.'))),
    verify_via: judged({ judge: 'verifyVia', kinds: ['SVC9142', 'SVC9143', 'SVC9211'] }, list('Advisory: capabilities that verify the side effect [2.4].', text('A capability.'))),
    cross_service: judged({ any: 'SVC9144' }, object('Advisory hints to other services [2.9].', CROSS_SERVICE)),
    cross_service_contract: judged({ any: 'SVC9265' }, unenforced(object('Steps on other services that belong to the task of a call.', CROSS_SERVICE_CONTRACT))),
    composes_with: judged({ any: 'SVC9265' }, unenforced(list('Capabilities that are often called together with it.', object('A capability.', COMPANION)))),
    session: judged({ any: 'SVC9265' }, unenforced(object('Whether an interaction has several calls.', SESSION))),
  },
} // prettier-ignore
