/** A manifest by the paths of its values; an edit sets them, or removes them with GONE. */
export const GONE = Symbol('gone')
export interface Edits {
  readonly [path: string]: unknown
}

/** A change that a contributor proposes: the values of the reviewed manifest, and of the new one. */
export interface Attack {
  readonly before?: Edits
  readonly after: Edits
}

/** A field that limits nothing: why, and a change that must be reported all the same. */
export interface Harmless {
  readonly harmless: string
  readonly change: Attack
}

const QUOTE = 'capabilities.quote'
const ORDER = 'capabilities.order'
const DAY = 'capabilities.day'

/** Each value in turn, at one path. */
const at = (path: string, ...values: readonly unknown[]): readonly Attack[] =>
  values.map((value) => ({ after: { [path]: value } }))
/** From one value to another one, at one path. */
const from = (path: string, was: unknown, ...values: readonly unknown[]): readonly Attack[] =>
  values.map((value) => ({ before: { [path]: was }, after: { [path]: value } }))
const harmless = (reason: string, path: string, value: unknown, was?: unknown): Harmless => ({
  harmless: reason,
  change: was === undefined ? { after: { [path]: value } } : { before: { [path]: was }, after: { [path]: value } },
})
const money = (certainty: string, amounts: object) => ({ certainty, financial: { currency: 'EUR', ...amounts } })
const when = (...conditions: readonly object[]) => ({ when: conditions })
const required = `${ORDER}.approval.required`
const TEXT = 'People and agents read it; nothing is decided by it.'
const HINT = 'It is a hint: the runtime decides nothing by it.'
const UNENFORCED = 'It is published and enforced by nobody; `svc validate` says so.'
const PUBLISHED = 'Each publication fills it in again, whatever the source says.'

const CONTRACT_STEP = { target: { service: 'post', capability: 'other' }, required_for_task_completion: true, continuity: 'same_task', completion_mode: 'downstream_acceptance' } // prettier-ignore
const STEP = { id: 'first', capability: 'read_order', empty_result_source: true, empty_result_path: '$.order_id' }
const POLICY = { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error: 'propagate' } // prettier-ignore
const outcome = (name: string, value: string) => at(`${DAY}.composition.failure_policy`, { ...POLICY, [name]: value })
const reference = (name: string) =>
  harmless(HINT, `${ORDER}.cross_service`, { [name]: [{ service: 'post', capability: 'other' }] })

// prettier-ignore
/** For each row of the table of fields: how it is made weaker, or why it limits nothing. */
export const ATTACKS: { readonly [row: string]: readonly Attack[] | Harmless } = {
  capabilities: at(QUOTE, GONE),
  'manifest_metadata.version': at('manifest_metadata.version', '0.9.0'),
  'manifest_metadata.sha256': harmless(PUBLISHED, 'manifest_metadata.sha256', 'b'.repeat(64), 'a'.repeat(64)),
  'manifest_metadata.issued_at': harmless(PUBLISHED, 'manifest_metadata.issued_at', '2030-01-01T00:00:00Z', '2029-01-01T00:00:00Z'),
  'manifest_metadata.expires_at': harmless(PUBLISHED, 'manifest_metadata.expires_at', '2099-01-01T00:00:00Z', '2029-01-01T00:00:00Z'),
  'service_identity.id': at('service_identity.id', 'bakery'),
  'service_identity.name': harmless(TEXT, 'service_identity.name', 'Another shop'),
  'service_identity.description': harmless(TEXT, 'service_identity.description', 'Sells cake.'),
  'service_identity.jwks_uri': from('service_identity.jwks_uri', '/.well-known/jwks.json', '/keys.json'),
  'service_identity.issuer_mode': from('service_identity.issuer_mode', 'self', 'other'),
  'trust.level': at('trust', { level: 'signed' }, { level: 'declarative' }),
  'trust.anchoring.cadence': at('trust.anchoring.cadence', 'daily', 'P10Y'),
  'metadata_disclosure.caller_class': [
    ...at('metadata_disclosure.caller_class', { internal: 'full', default: 'full' }, { internal: 'full', default: 'redacted', guest: 'full' }, {}),
  ],
  'metadata_disclosure.failure_detail': at('metadata_disclosure.failure_detail', 'full', GONE),
  'metadata_disclosure.manifest': harmless('It decides who reads what may be called, and nothing about a call.', 'metadata_disclosure.manifest', 'public', 'bearer'),
  'limits.max_delegation_depth': at('limits.max_delegation_depth', 4, 1000),
  'limits.default_ttl_hours': at('limits.default_ttl_hours', 3, 24),
  'limits.max_ttl_hours': [...at('limits.max_ttl_hours', 25, 87_600), ...from('limits.max_ttl_hours', 4, GONE)],
  'limits.delegate_to_humans': from('limits.delegate_to_humans', false, true, GONE),
  'approvals.approver_scope': at('approvals.approver_scope', 'shop.read', GONE),
  'approvals.request_ttl': [...at('approvals.request_ttl', 'P10Y'), ...from('approvals.request_ttl', 'PT1H', GONE)],
  'approvals.denial_holds': [...at('approvals.denial_holds', 'PT1S'), ...from('approvals.denial_holds', 'P1D', GONE)],
  'approvals.allow_agents': at('approvals.allow_agents', true),
  'approvals.separation_of_duties': at('approvals.separation_of_duties', false),
  'capabilities.<name>.x-upstream.answers': from(`${QUOTE}.x-upstream`, { answers: 'strict' }, { answers: 'loose' }, {}, GONE),
  'capabilities.<name>.x-upstream.slashes': [
    ...from(`${QUOTE}.x-upstream`, {}, { slashes: ['path'] }),
    ...from(`${QUOTE}.x-upstream`, { slashes: ['path'] }, { slashes: ['path', 'name'] }),
  ],
  'capabilities.<name>.x-upstream.connection': from(`${QUOTE}.x-upstream`, { connection: 'mail' }, { connection: 'files' }, {}),
  'capabilities.<name>.description': harmless(TEXT, `${QUOTE}.description`, 'Never quote.'),
  'capabilities.<name>.contract_version': harmless('A version that is too low fails the run as unbumped.', `${QUOTE}.contract_version`, '1.2.4'),
  'capabilities.<name>.kind': at(DAY, { kind: 'atomic' }).map(() => ({ after: { [`${DAY}.kind`]: 'atomic', [`${DAY}.composition`]: GONE } })),
  'capabilities.<name>.side_effect': at(`${ORDER}.side_effect`, { type: 'read' }, { type: 'write' }),
  'capabilities.<name>.minimum_scope': at(`${ORDER}.minimum_scope`, ['shop.read'], []),
  'capabilities.<name>.inputs': at(`${QUOTE}.inputs`, []),
  'capabilities.<name>.cost': [...from(`${ORDER}.cost`, money('fixed', { amount: 90 }), money('fixed', { amount: 0.01 }), money('fixed', { amount: 0 }), money('dynamic', { upper_bound: 1 })), ...from(`${ORDER}.cost`, money('dynamic', { upper_bound: 90 }), money('fixed', { amount: 1 }))],
  'capabilities.<name>.requires': at(`${ORDER}.requires`, [], GONE),
  'capabilities.<name>.requires_binding': [
    ...at(`${ORDER}.requires_binding`, [], GONE),
    { before: { [`${ORDER}.cost`]: money('fixed', { amount: 5 }) }, after: { [`${ORDER}.requires_binding`]: GONE } },
    // Two that one input carries are two.
    ...from(`${ORDER}.requires_binding`, [{ type: 'stock', field: 'quote_id' }, { type: 'quote', field: 'quote_id' }], [{ type: 'quote', field: 'quote_id' }], [{ type: 'stock', field: 'quote_id' }]),
  ],
  'capabilities.<name>.control_requirements': at(`${ORDER}.control_requirements`, [], GONE),
  'capabilities.<name>.requires_principal': at(`${ORDER}.requires_principal`, GONE, ['human', 'agent', 'oidc']),
  'capabilities.<name>.approval': at(`${ORDER}.approval`, GONE),
  'capabilities.<name>.x-title': harmless(TEXT, `${QUOTE}.extensions.x-title`, 'Quote'),
  'capabilities.<name>.x-exclusive-by': from(`${ORDER}.extensions.x-exclusive-by`, ['quote_id'], GONE, ['quote_id', 'amount'], ['amount']),
  'capabilities.<name>.response_modes': harmless('A mode more offers another way to read the same answer.', `${QUOTE}.response_modes`, ['unary', 'streaming']),
  'capabilities.<name>.refresh_via': harmless(HINT, `${ORDER}.refresh_via`, GONE),
  'capabilities.<name>.verify_via': [...at(`${ORDER}.verify_via`, GONE, []), ...from(`${ORDER}.verify_via`, ['read_order', 'quote'], ['quote'])],
  'capabilities.<name>.cross_service': harmless(HINT, `${ORDER}.cross_service`, GONE),
  'capabilities.<name>.side_effect.type': at(`${ORDER}.side_effect.type`, 'read', 'write'),
  'capabilities.<name>.side_effect.rollback_window': at(`${ORDER}.side_effect.rollback_window`, 'PT1S', GONE),
  'capabilities.<name>.side_effect.compensation': at(`${ORDER}.side_effect.compensation`, 'read_order', GONE),
  'capabilities.<name>.inputs[].name': at(`${QUOTE}.inputs.2.name`, 'anybody'),
  'capabilities.<name>.inputs[].type': at(`${QUOTE}.inputs.0.type`, 'number', 'string', 'any'),
  'capabilities.<name>.inputs[].required': at(`${QUOTE}.inputs.0.required`, false),
  'capabilities.<name>.inputs[].default': [...at(`${QUOTE}.inputs.0.default`, 1000), ...at(`${QUOTE}.inputs.1.default`, 'spelt', GONE)],
  'capabilities.<name>.inputs[].description': harmless(TEXT, `${QUOTE}.inputs.0.description`, 'As many as there are.'),
  'capabilities.<name>.inputs[].semantic_type': harmless(HINT, `${QUOTE}.inputs.1.semantic_type`, 'flour'),
  'capabilities.<name>.inputs[].entity_reference': from(`${QUOTE}.inputs.2.entity_reference`, true, false, GONE),
  'capabilities.<name>.inputs[].allowed_values': at(`${QUOTE}.inputs.1.allowed_values`, GONE, ['rye', 'spelt', 'oat'], ['oat', 'rye']),
  'capabilities.<name>.inputs[].catalog_ref': at(`${QUOTE}.inputs.2.catalog_ref`, 'everybody', GONE),
  'capabilities.<name>.inputs[].input_meanings': harmless(TEXT, `${QUOTE}.inputs.1.input_meanings`, [{ value: 'rye', label: 'Light bread' }]),
  'capabilities.<name>.inputs[].resolution': [...at(`${QUOTE}.inputs.2.resolution`, GONE), ...at(`${QUOTE}.inputs.0.resolution`, { mode: 'app_selected' })],
  'capabilities.<name>.inputs[].x-sensitive': from(`${QUOTE}.inputs.2.x-sensitive`, true, false, GONE),
  'capabilities.<name>.inputs[].x-schema': [
    ...from(`${QUOTE}.inputs.0.x-schema`, { type: 'integer', maximum: 5 }, GONE, { type: 'integer', maximum: 500 }, { type: 'integer' }, { type: 'integer', minimum: 1 }),
    ...from(`${QUOTE}.inputs.0.x-schema`, { enum: [1, 2] }, { enum: [1, 2, 9] }, { enum: [1, 9] }),
    { before: { extensions: { 'x-schemas': { Few: { type: 'integer', maximum: 5 } } }, [`${QUOTE}.inputs.0.x-schema`]: { $ref: '#/x-schemas/Few' } }, after: { 'extensions.x-schemas': { Few: { type: 'integer', maximum: 500 } } } },
  ],
  'capabilities.<name>.inputs[].input_meanings[].value': harmless(TEXT, `${QUOTE}.inputs.1.input_meanings`, [{ value: 'spelt', label: 'Dark bread' }]),
  'capabilities.<name>.inputs[].input_meanings[].label': harmless(TEXT, `${QUOTE}.inputs.1.input_meanings`, [{ value: 'rye', label: 'Any bread' }]),
  'capabilities.<name>.inputs[].input_meanings[].description': harmless(TEXT, `${QUOTE}.inputs.1.input_meanings`, [{ value: 'rye', label: 'Dark bread', description: 'Rye.' }]),
  'capabilities.<name>.inputs[].resolution.mode': [...at(`${QUOTE}.inputs.1.resolution.mode`, 'app_selected', 'backend_resolved', 'clarify'), ...at(`${QUOTE}.inputs.2.resolution.mode`, 'app_selected')],
  'capabilities.<name>.inputs[].resolution.resolver_ref': at(`${QUOTE}.inputs.2.resolution.resolver_ref`, 'everybody', GONE),
  'capabilities.<name>.inputs[].resolution.on_missing': [...at(`${QUOTE}.inputs.2.resolution.on_missing`, 'use_default', 'use_actor_scope', 'omit', 'app_select_or_clarify', GONE), ...at(`${QUOTE}.inputs.1.resolution.on_missing`, 'use_actor_scope')],
  'capabilities.<name>.inputs[].resolution.on_ambiguous': at(`${QUOTE}.inputs.2.resolution.on_ambiguous`, 'use_default', 'app_select_or_clarify', 'omit', GONE),
  'capabilities.<name>.inputs[].resolution.on_unresolved': at(`${QUOTE}.inputs.1.resolution.on_unresolved`, 'use_default', 'omit', GONE),
  'capabilities.<name>.output.type': at(`${QUOTE}.output.type`, 'other'),
  'capabilities.<name>.output.fields': at(`${QUOTE}.output.fields`, [{ name: 'quote_id', type: 'string' }]),
  'capabilities.<name>.output.fields[].name': at(`${QUOTE}.output.fields.1.name`, 'other'),
  'capabilities.<name>.output.fields[].type': at(`${QUOTE}.output.fields.1.type`, 'string'),
  'capabilities.<name>.output.fields[].description': harmless(TEXT, `${QUOTE}.output.fields.0.description`, 'An id.'),
  'capabilities.<name>.output.fields[].x-schema': from(`${QUOTE}.output.fields.0.x-schema`, { type: 'string', maxLength: 5 }, GONE, { type: 'string', maxLength: 50 }),
  'capabilities.<name>.cost.certainty': [
    ...from(`${ORDER}.cost`, money('fixed', { amount: 90 }), money('estimated', { range_min: 1, range_max: 90 }), money('dynamic', { upper_bound: 1 })),
    ...at(`${ORDER}.cost`, money('fixed', { amount: 1 }), money('dynamic', { upper_bound: 1 })),
  ],
  'capabilities.<name>.cost.financial': at(`${ORDER}.cost.financial`, GONE),
  'capabilities.<name>.cost.compute': harmless(HINT, `${ORDER}.cost.compute`, GONE),
  'capabilities.<name>.cost.determined_by': at(`${ORDER}.cost.determined_by`, 'amount', GONE),
  'capabilities.<name>.cost.financial.currency': at(`${ORDER}.cost.financial.currency`, 'JPY'),
  'capabilities.<name>.cost.financial.amount': from(`${ORDER}.cost`, money('fixed', { amount: 90 }), money('fixed', { amount: 0 }), money('fixed', { amount: 89 })),
  'capabilities.<name>.cost.financial.upper_bound': from(`${ORDER}.cost`, money('dynamic', { upper_bound: 90 }), money('dynamic', { upper_bound: 0 }), money('dynamic', { upper_bound: 89 })),
  'capabilities.<name>.cost.financial.range_min': at(`${ORDER}.cost.financial.range_min`, 0, GONE),
  'capabilities.<name>.cost.financial.range_max': [...at(`${ORDER}.cost.financial.range_max`, 5, 49), ...from(`${ORDER}.cost`, money('fixed', { amount: 9, range_max: 90 }), money('fixed', { amount: 9, range_max: 9 }))],
  'capabilities.<name>.cost.financial.typical': harmless(HINT, `${ORDER}.cost.financial.typical`, 1),
  'capabilities.<name>.cost.financial.x-amount-input': from(`${ORDER}.cost.financial.x-amount-input`, 'amount', false, GONE, 'tip'),
  'capabilities.<name>.cost.compute.expected_duration': harmless(HINT, `${ORDER}.cost.compute.expected_duration`, 'PT9S'),
  'capabilities.<name>.requires[].reason': harmless(TEXT, `${ORDER}.requires.0.reason`, 'It is usual.'),
  'capabilities.<name>.composition.authority_boundary': at(`${DAY}.composition.authority_boundary`, 'any_service', GONE),
  'capabilities.<name>.composition.steps': at(`${DAY}.composition.steps`, [], [STEP, { id: 'second', capability: 'cancel' }]),
  'capabilities.<name>.composition.input_mapping': at(`${DAY}.composition.input_mapping`, { first: {} }, { first: { order_id: '$.input.other' } }),
  'capabilities.<name>.composition.x-literals': at(`${DAY}.composition.x-literals`, { first: { order_id: 'o-1' } }),
  'capabilities.<name>.composition.output_mapping': at(`${DAY}.composition.output_mapping`, { order_id: '$.input.order_id' }),
  'capabilities.<name>.composition.failure_policy': at(`${DAY}.composition.failure_policy`, { ...POLICY, child_denial: 'fail_parent' }),
  'capabilities.<name>.composition.empty_result_policy': from(`${DAY}.composition.empty_result_policy`, 'deny', 'return_success_no_results', GONE),
  'capabilities.<name>.composition.empty_result_output': at(`${DAY}.composition.empty_result_output`, { order_id: 'o-1' }, GONE),
  'capabilities.<name>.composition.steps[].id': at(`${DAY}.composition.steps.0.id`, 'other'),
  'capabilities.<name>.composition.steps[].capability': at(`${DAY}.composition.steps.0.capability`, 'cancel'),
  'capabilities.<name>.composition.steps[].empty_result_source': at(`${DAY}.composition.steps.0.empty_result_source`, false),
  'capabilities.<name>.composition.steps[].empty_result_path': at(`${DAY}.composition.steps.0.empty_result_path`, GONE),
  'capabilities.<name>.composition.failure_policy.child_clarification': outcome('child_clarification', 'fail_parent'),
  'capabilities.<name>.composition.failure_policy.child_denial': outcome('child_denial', 'fail_parent'),
  'capabilities.<name>.composition.failure_policy.child_approval_required': outcome('child_approval_required', 'fail_parent'),
  'capabilities.<name>.composition.failure_policy.child_error': outcome('child_error', 'fail_parent'),
  'capabilities.<name>.composition.audit_policy.record_child_invocations': at(`${DAY}.composition.audit_policy.record_child_invocations`, false),
  'capabilities.<name>.composition.audit_policy.parent_task_lineage': at(`${DAY}.composition.audit_policy.parent_task_lineage`, false),
  'capabilities.<name>.business_effects.produces': at(`${ORDER}.business_effects.produces`, [], GONE),
  'capabilities.<name>.business_effects.does_not_produce': at(`${ORDER}.business_effects.does_not_produce`, [], GONE),
  'capabilities.<name>.requires_binding[].type': at(`${ORDER}.requires_binding.0.type`, 'order'),
  'capabilities.<name>.requires_binding[].field': at(`${ORDER}.requires_binding.0.field`, 'amount'),
  'capabilities.<name>.requires_binding[].source_capability': at(`${ORDER}.requires_binding.0.source_capability`, 'read_order', GONE),
  'capabilities.<name>.requires_binding[].max_age': [
    ...at(`${ORDER}.requires_binding.0.max_age`, 'PT16M', 'P10Y', GONE),
    // Behind a change that is accepted.
    { after: { [`${ORDER}.requires_binding.0`]: { type: 'quote', field: 'amount', source_capability: 'quote', max_age: 'P10Y' } } },
  ],
  'capabilities.<name>.control_requirements[].enforcement': from(`${ORDER}.control_requirements.0.enforcement`, 'reject', GONE),
  'capabilities.<name>.approval.required': [...from(required, 'always', 'handler', when({ input: 'amount', above: 1 })), ...at(required, 'handler')],
  'capabilities.<name>.approval.approvers': from(`${ORDER}.approval.approvers`, 3, 2, GONE),
  'capabilities.<name>.approval.tiers': from(`${ORDER}.approval.tiers`, [{ cost_above: 5, approver_scope: 'shop.chief' }], GONE, []),
  'capabilities.<name>.approval.preview': from(`${ORDER}.approval.preview`, 'must_hold', GONE),
  'capabilities.<name>.approval.required.when': at(required, when({ input: 'amount', above: 100 }, { input: 'quote_id', equals: 'q' })),
  'capabilities.<name>.approval.required.when[].input': at(required, when({ input: 'quote_id', above: 100 })),
  'capabilities.<name>.approval.required.when[].cost': at(required, when({ cost: { above: 100 } })),
  'capabilities.<name>.approval.required.when[].equals': from(required, when({ input: 'quote_id', equals: 'a' }), when({ input: 'quote_id', equals: 'b' })),
  'capabilities.<name>.approval.required.when[].not_equals': from(required, when({ input: 'quote_id', not_equals: 'a' }), when({ input: 'quote_id', not_equals: 'b' })),
  'capabilities.<name>.approval.required.when[].in': from(required, when({ input: 'quote_id', in: ['a', 'b'] }), when({ input: 'quote_id', in: ['a'] }), when({ input: 'quote_id', in: ['c'] })),
  'capabilities.<name>.approval.required.when[].above': at(required, when({ input: 'amount', above: 101 })),
  'capabilities.<name>.approval.required.when[].at_least': from(required, when({ input: 'amount', at_least: 5 }), when({ input: 'amount', at_least: 6 })),
  'capabilities.<name>.approval.required.when[].below': from(required, when({ input: 'amount', below: 5 }), when({ input: 'amount', below: 4 })),
  'capabilities.<name>.approval.required.when[].at_most': from(required, when({ input: 'amount', at_most: 5 }), when({ input: 'amount', at_most: 4 })),
  'capabilities.<name>.approval.required.when[].cost.above': from(required, when({ cost: { above: 5 } }), when({ cost: { above: 6 } })),
  'capabilities.<name>.approval.required.when[].cost.at_least': from(required, when({ cost: { at_least: 5 } }), when({ cost: { at_least: 6 } })),
  'capabilities.<name>.approval.grant_policy.allowed_grant_types': at(`${ORDER}.approval.grant_policy.allowed_grant_types`, ['one_time', 'session_bound']),
  'capabilities.<name>.approval.grant_policy.default_grant_type': at(`${ORDER}.approval.grant_policy.default_grant_type`, 'session_bound'),
  'capabilities.<name>.approval.grant_policy.expires_in_seconds': at(`${ORDER}.approval.grant_policy.expires_in_seconds`, 601, 315_360_000),
  'capabilities.<name>.approval.grant_policy.max_uses': at(`${ORDER}.approval.grant_policy.max_uses`, 2, 1000),
  'capabilities.<name>.approval.tiers[].cost_above': from(`${ORDER}.approval.tiers`, [{ cost_above: 5, approver_scope: 'shop.chief' }], [{ cost_above: 500, approver_scope: 'shop.chief' }]),
  'capabilities.<name>.approval.tiers[].approver_scope': from(`${ORDER}.approval.tiers`, [{ cost_above: 5, approver_scope: 'shop.chief' }], [{ cost_above: 5, approver_scope: 'shop.read' }]),
  'capabilities.<name>.observability.logged': at(`${ORDER}.observability.logged`, false),
  'capabilities.<name>.observability.retention': [...at(`${ORDER}.observability.retention`, 'PT1S'), ...from(`${ORDER}.observability.retention`, GONE, 'P90D')],
  'capabilities.<name>.observability.fields_logged': at(`${ORDER}.observability.fields_logged`, [], GONE),
  'capabilities.<name>.cross_service.handoff_to': reference('handoff_to'),
  'capabilities.<name>.cross_service.refresh_via': reference('refresh_via'),
  'capabilities.<name>.cross_service.verify_via': reference('verify_via'),
  'capabilities.<name>.cross_service.followup_via': reference('followup_via'),
  'capabilities.<name>.cross_service.handoff_to[].service': reference('handoff_to'),
  'capabilities.<name>.cross_service.handoff_to[].capability': reference('handoff_to'),
  'capabilities.<name>.cross_service_contract': harmless(UNENFORCED, `${ORDER}.cross_service_contract`, { handoff: [CONTRACT_STEP] }),
  'capabilities.<name>.cross_service_contract.handoff': harmless(UNENFORCED, `${ORDER}.cross_service_contract`, { handoff: [CONTRACT_STEP] }),
  'capabilities.<name>.cross_service_contract.handoff[].target': harmless(UNENFORCED, `${ORDER}.cross_service_contract`, { handoff: [CONTRACT_STEP] }),
  'capabilities.<name>.cross_service_contract.handoff[].required_for_task_completion': harmless(UNENFORCED, `${ORDER}.cross_service_contract`, { handoff: [CONTRACT_STEP] }),
  'capabilities.<name>.cross_service_contract.handoff[].continuity': harmless(UNENFORCED, `${ORDER}.cross_service_contract`, { handoff: [CONTRACT_STEP] }),
  'capabilities.<name>.cross_service_contract.handoff[].completion_mode': harmless(UNENFORCED, `${ORDER}.cross_service_contract`, { handoff: [CONTRACT_STEP] }),
  'capabilities.<name>.cross_service_contract.followup': harmless(UNENFORCED, `${ORDER}.cross_service_contract`, { followup: [CONTRACT_STEP] }),
  'capabilities.<name>.cross_service_contract.verification': harmless(UNENFORCED, `${ORDER}.cross_service_contract`, { verification: [CONTRACT_STEP] }),
  'capabilities.<name>.composes_with': harmless(UNENFORCED, `${ORDER}.composes_with`, [{ capability: 'quote', optional: false }]),
  'capabilities.<name>.composes_with[].capability': harmless(UNENFORCED, `${ORDER}.composes_with`, [{ capability: 'quote', optional: false }]),
  'capabilities.<name>.composes_with[].optional': harmless(UNENFORCED, `${ORDER}.composes_with`, [{ capability: 'quote', optional: false }]),
  'capabilities.<name>.session': harmless(UNENFORCED, `${ORDER}.session`, { type: 'continuation' }),
  'capabilities.<name>.session.type': harmless(UNENFORCED, `${ORDER}.session`, { type: 'continuation' }),
  'capabilities.<name>.cost.factors': harmless(UNENFORCED, `${ORDER}.cost.factors`, ['demand']),
  'capabilities.<name>.cost.rate_limit': harmless(UNENFORCED, `${ORDER}.cost.rate_limit`, { per_minute: 5 }),
  'capabilities.<name>.observability.audit_accessible_by': harmless(UNENFORCED, `${ORDER}.observability.audit_accessible_by`, ['delegation.root_principal']),
}
