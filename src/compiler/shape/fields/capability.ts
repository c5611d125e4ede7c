import {
  CAPABILITY_KINDS,
  CONTROL_REQUIREMENTS,
  COST_CERTAINTIES,
  type CROSS_SERVICE_LISTS,
  PRINCIPAL_CLASSES,
  RESPONSE_MODES,
  SIDE_EFFECTS,
} from '../../../protocol/words.js'
import { decided, required, type Field, type Shape } from '../field.js'
import { amount, any, flag, list, object, oneOf, text, word } from '../kinds.js'
import { APPROVAL } from './approval.js'
import { COMPOSITION } from './composition.js'
import { INPUT } from './input.js'

const OUTPUT_FIELD: Shape = {
  title: 'output field',
  fields: {
    name: required(text('The field name.', { format: 'identifier', codes: { format: 'SVC2005' } })),
    type: oneOf("A type as for inputs, or any, which may be null; a list such as [string, 'null'] where there may be no value; default any.", {
      scalar: text('A type as for inputs, or any.', { examples: ['array', 'string'] }),
      list: list("A type, and 'null'.", text("A type as for inputs, or 'null'.", { mayBeNull: true, examples: ['string', 'null'] })),
    }),
    description: text('What the field holds.', { mayBeBlank: true }),
    'x-schema': any('What is inside the value, as for inputs; null is allowed where it says so and the type is any.', { mayBeNull: true }),
  },
} // prettier-ignore

const OUTPUT: Shape = {
  title: 'output',
  fields: {
    type: required(text('What the result is called [2.4].', { examples: ['flight_list'] })),
    fields: required(list('Names of the result fields, or {name, type, description} [2.4].', oneOf('A field name, or {name, type, description}.', {
      scalar: text('A field name of type any.', { format: 'identifier', codes: { format: 'SVC2005' } }),
      map: object('A typed field.', OUTPUT_FIELD),
    }))),
  },
} // prettier-ignore

const SIDE_EFFECT: Shape = {
  title: 'side effect',
  scalarMeans: 'type',
  codes: { type: 'SVC2009' },
  fields: {
    type: required(word('read changes nothing; write is reversible; transactional has a rollback window; irreversible is permanent [2.4].', SIDE_EFFECTS)),
    rollback_window: text('How long the change can be undone; only for transactional [2.4].', { format: 'duration' }),
    compensation: text('The capability that undoes the change; only for transactional [2.4].'),
  },
} // prettier-ignore

const FINANCIAL: Shape = {
  title: 'financial cost',
  fields: {
    currency: required(text('ISO 4217 code [2.7].', { format: 'currency', codes: { format: 'SVC2506' } }), 'SVC2505'),
    amount: amount('What a call costs; checked against budgets when certainty is fixed [2.7].', { codes: { range: 'SVC2508' } }),
    upper_bound: amount('What a call costs at most; checked against budgets when certainty is dynamic [2.7].', { codes: { range: 'SVC2508' } }),
    range_min: amount('The least that a call usually costs [2.7].', { codes: { range: 'SVC2508' } }),
    range_max: amount('The most that a call usually costs [2.7].', { codes: { range: 'SVC2508' } }),
    typical: amount('What a call typically costs [2.7].', { codes: { range: 'SVC2508' } }),
    'x-amount-input': any('The required numeric input that says what the call costs, checked before the handler runs; false where no input does. Only for dynamic, without a binding.', { examples: ['amount', false] }),
  },
} // prettier-ignore

const COMPUTE: Shape = {
  title: 'compute cost',
  open: true,
  fields: {
    expected_duration: text('How long a call takes [2.7].', { format: 'duration', codes: { format: 'SVC2521' } }),
  },
}

/** `200` and `200 EUR` are most likely a fixed price. */
function fixedCost(text: string): string | undefined {
  const [, amount, currency = 'EUR'] = /^(\d+(?:\.\d+)?)\s*([A-Z]{3})?$/u.exec(text) ?? []
  return amount === undefined
    ? undefined
    : `{ certainty: fixed, financial: { currency: ${currency}, amount: ${amount} } }`
}

const COST: Shape = {
  title: 'cost',
  scalarMeans: 'certainty',
  amountMeans: fixedCost,
  fields: {
    certainty: required(word('fixed: amount is exact; estimated: a binding pins the price; dynamic: upper_bound holds [2.7].', COST_CERTAINTIES, { codes: { word: 'SVC2501' } })),
    financial: object('The price in money [2.7].', FINANCIAL),
    compute: object('The price in time and resources [2.7].', COMPUTE),
    determined_by: text('What determines the cost [2.7].'),
  },
} // prettier-ignore

const REQUIREMENT: Shape = {
  title: 'prerequisite',
  fields: {
    capability: required(text('A capability of this manifest [2.4].')),
    reason: required(text('Why it comes first [2.4].'), 'SVC3005'),
  },
}

const BINDING: Shape = {
  title: 'binding requirement',
  fields: {
    type: required(text('What kind of thing is bound.', { examples: ['quote'] }), 'SVC2604'),
    field: required(text('The declared input that carries the binding id.'), 'SVC2604'),
    source_capability: text('The capability that issues the binding.'),
    max_age: text('How old the binding may be.', { format: 'duration', codes: { format: 'SVC2610' } }),
  },
}

const CONTROL: Shape = {
  title: 'control requirement',
  scalarMeans: 'type',
  fields: {
    type: required(word('cost_ceiling: the token must have a budget; stronger_delegation_required: it must be bound to the capability [2.4].', CONTROL_REQUIREMENTS, { codes: { word: 'SVC2601' } })),
    enforcement: word('Only reject is defined.', ['reject'], { codes: { word: 'SVC2602' } }),
  },
} // prettier-ignore

const EFFECTS: Shape = {
  title: 'business effects',
  codes: { unknown: 'SVC2613' },
  fields: {
    produces: list('What a call brings about [2.4].', text('An effect.'), { distinct: true }),
    does_not_produce: list('What a call never brings about [2.4].', text('An effect.'), { distinct: true }),
  },
}

const OBSERVABILITY: Shape = {
  title: 'observability',
  fields: {
    logged: flag('Whether calls are recorded; each one is [2.4].'),
    retention: text('How long audit entries keep their content [2.4].', {
      format: 'duration',
      codes: { format: 'SVC2703' },
    }),
    fields_logged: list('Inputs whose values the audit entry keeps [2.4].', text('An input.'), { distinct: true }),
  },
}

const CROSS_REFERENCE: Shape = {
  title: 'service capability reference',
  codes: { type: 'SVC3106' },
  fields: {
    service: required(text('Target service id [2.9].'), 'SVC3102'),
    capability: required(text('Capability name on that service [2.9].'), 'SVC3102'),
  },
}

const references = list(
  'Capabilities of other services [2.9].',
  object('A capability of another service.', CROSS_REFERENCE),
)

const CROSS_SERVICE: Shape = {
  title: 'cross-service hints',
  codes: { unknown: 'SVC3101' },
  fields: {
    handoff_to: references,
    refresh_via: references,
    verify_via: references,
    followup_via: references,
  } satisfies { readonly [name in (typeof CROSS_SERVICE_LISTS)[number]]: Field },
}

export const CAPABILITY: Shape = {
  title: 'capability',
  fields: {
    description: required(text('What the capability does, on what, and what it returns: agents choose by it [2.4].', { codes: { blank: 'SVC2001' } })),
    contract_version: required(text("Semantic version of this capability's contract [2.4].", { format: 'semver', codes: { format: 'SVC1304' } })),
    kind: word('composed runs other capabilities as steps; default atomic [2.4].', CAPABILITY_KINDS, { codes: { word: 'SVC2006' } }),
    side_effect: decided('what a call does to the world: `{ type: read }`, write, transactional or irreversible', required(object('What a call does to the world [2.4].', SIDE_EFFECT, { codes: { type: 'SVC2009' } }))),
    minimum_scope: decided('the scopes that a token needs, such as `[issues.read]`', required(list('Scope strings that a token needs; compared exactly [2.4].', text('A scope.', { format: 'scope', codes: { format: 'SVC2201' } }), { distinct: true }))),
    inputs: required(list('Input declarations [2.4].', object('An input.', INPUT))),
    output: required(object('What a call returns [2.4].', OUTPUT)),
    cost: decided('what a call costs, or remove the line where it costs nothing', object('What a call costs [2.7].', COST)),
    requires: list('Advisory prerequisites [2.4].', object('A capability and why it comes first.', REQUIREMENT)),
    composition: object('The steps of a composed capability [2.8].', COMPOSITION),
    business_effects: object('Declared outcomes, and explicit non-outcomes [2.4].', EFFECTS),
    requires_binding: list('What a call must be bound to, such as a quote that pins its price [2.4].', object('A binding.', BINDING)),
    control_requirements: list('What a token must have, visible in permission discovery [2.4].', object('A control requirement.', CONTROL)),
    requires_principal: oneOf('Principal classes that may call, as root of their own token [5.9].', {
      scalar: word('A principal class.', PRINCIPAL_CLASSES),
      list: list('Principal classes.', word('A principal class.', PRINCIPAL_CLASSES), { min: 1, distinct: true }),
    }),
    approval: decided('when somebody must approve a call, or remove the line where nobody must', object('When a call needs an approval, and what an approver may grant [2.12].', APPROVAL)),
    'x-title': text('What people and agents read as the name of the capability.', { examples: ['Book a flight'] }),
    'x-exclusive-by': list('Inputs whose values exclude each other: at most one call with the same values runs at a time.', text('An input.', { examples: ['warehouse'] }), { min: 1, distinct: true }),
    response_modes: list('How answers come: unary, streaming or both; default unary [2.4].', word('A response mode.', RESPONSE_MODES, { codes: { word: 'SVC2701' } }), { min: 1, distinct: true, codes: { few: 'SVC2702' } }),
    observability: object('What the audit trail keeps [2.4].', OBSERVABILITY),
    refresh_via: list('Advisory: capabilities to invoke again when an artifact is stale or missing [2.4].', text('A capability.')),
    verify_via: list('Advisory: capabilities that verify the side effect [2.4].', text('A capability.')),
    cross_service: object('Advisory hints to other services [2.9].', CROSS_SERVICE),
  },
} // prettier-ignore
