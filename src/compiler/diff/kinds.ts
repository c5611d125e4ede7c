import type { Effect } from './effects.js'

export type Bump = 'major' | 'minor' | 'patch'

export interface ChangeKind {
  readonly code: string
  readonly slug: string
  readonly effect: Effect
  /** Besides breaking, it weakens what is governed. */
  readonly weakens?: true
  /** What it asks of `contract_version`; of the service as a whole, where there is no contract. */
  readonly bump: Bump | undefined
  /** What it does to whom, as a sentence. */
  readonly why: string
}

type Row = readonly [slug: string, effect: Effect | 'breaking+weakened', bump: Bump | undefined, why: string]

// prettier-ignore
const ROWS: { readonly [code: string]: Row } = {
  // Capabilities
  SVC9001: ['capability-removed', 'breaking', 'major', 'Every caller, token bound to it and reference from another manifest fails.'],
  SVC9002: ['capability-added', 'compatible', undefined, 'It starts at a version of its own.'],
  SVC9003: ['capability-renamed', 'breaking', 'major', 'The address, bound tokens and its approver scope carry the old name.'],
  SVC9004: ['description-changed', 'compatible', 'patch', 'Agents choose by it.'],
  SVC9005: ['description-meaning', 'compatible', 'minor', 'A negation or a word of action came or went: agents select by it.'],
  // Inputs
  SVC9011: ['input-required-added', 'breaking', 'major', 'Calls that leave it out are not valid under the new contract.'],
  SVC9012: ['input-optional-added', 'compatible', 'minor', 'Nobody has to give it.'],
  SVC9013: ['input-removed', 'breaking', 'major', 'Unknown parameters are refused.'],
  SVC9014: ['input-became-optional', 'compatible', 'minor', 'Calls that give it stay valid.'],
  SVC9015: ['input-became-required', 'breaking', 'major', 'Calls that leave it out fail.'],
  SVC9016: ['input-renamed', 'breaking', 'major', 'Calls with the old name fail.'],
  SVC9017: ['input-type-narrowed', 'breaking', 'major', 'Values that were accepted may be refused.'],
  SVC9018: ['input-type-widened', 'compatible', 'minor', 'Every value that was accepted still is.'],
  SVC9019: ['input-default-added', 'compatible', 'minor', 'Calls that give it stay as they are.'],
  SVC9020: ['input-default-removed', 'compatible', 'minor', 'A call that leaves it out is answered otherwise.'],
  SVC9021: ['input-default-changed', 'compatible', 'minor', 'The same call has another result.'],
  SVC9022: ['input-order-changed', 'compatible', 'patch', 'Names address inputs, not places.'],
  SVC9023: ['input-description-changed', 'compatible', 'patch', 'Agents fill it by its description.'],
  SVC9024: ['allowed-value-removed', 'breaking', 'major', 'Calls with that value fail.'],
  SVC9025: ['allowed-value-added', 'compatible', 'minor', 'What was accepted still is.'],
  SVC9026: ['allowed-values-introduced', 'breaking', 'major', 'Other values than these fail.'],
  SVC9027: ['allowed-values-dropped', 'compatible', 'minor', 'What was accepted still is.'],
  SVC9028: ['input-meaning-changed', 'compatible', 'minor', 'The same value has another meaning.'],
  SVC9029: ['catalog-changed', 'compatible', 'minor', 'Values may resolve to other entities.'],
  SVC9030: ['resolver-changed', 'compatible', 'minor', 'Values may resolve to other entities.'],
  SVC9031: ['semantic-type-changed', 'compatible', 'minor', 'Agents fill it by its meaning.'],
  SVC9032: ['entity-reference-set', 'compatible', 'minor', 'A value may now be resolved, or refused.'],
  SVC9033: ['entity-reference-cleared', 'compatible', 'minor', 'A value is taken as it is.'],
  SVC9034: ['resolution-added', 'compatible', 'minor', 'What happens to a missing or ambiguous value is now defined.'],
  SVC9035: ['resolution-removed', 'compatible', 'minor', 'What happens to a missing or ambiguous value is open again.'],
  SVC9036: ['mode-tightened', 'breaking', 'major', 'Calls that relied on inference, or on giving a value, fail.'],
  SVC9037: ['mode-loosened', 'compatible', 'minor', 'The service may now derive the value: the same call may have another result.'],
  SVC9038: ['on-missing-stricter', 'breaking', 'major', 'Calls that leave it out stop working.'],
  SVC9039: ['on-missing-laxer', 'compatible', 'minor', 'Calls that failed now act.'],
  SVC9040: ['on-ambiguous-changed', 'compatible', 'minor', 'A call that does not resolve fails otherwise.'],
  // Output
  SVC9051: ['output-field-removed', 'breaking', 'major', 'Who reads it finds nothing.'],
  SVC9052: ['output-field-added', 'compatible', 'minor', 'Readers that take unknown fields see one more.'],
  SVC9053: ['output-field-renamed', 'breaking', 'major', 'Who reads the old name finds nothing.'],
  SVC9054: ['output-type-changed', 'breaking', 'major', 'Typed clients expect another type.'],
  SVC9055: ['output-order-changed', 'compatible', 'patch', 'Names address fields, not places.'],
  // Effect
  SVC9061: ['effect-strengthened', 'breaking', 'major', 'Callers that try it freely now change something that is harder to undo.'],
  SVC9062: ['effect-weakened', 'weakened', 'minor', 'Agents repeat it more freely, and it is watched less: that must be true.'],
  SVC9063: ['write-to-transactional', 'compatible', 'minor', 'A promise of undoing is added.'],
  SVC9064: ['transactional-to-write', 'breaking', 'major', 'The promise of undoing is lost.'],
  SVC9065: ['rollback-shortened', 'breaking', 'major', 'Undoing ends earlier.'],
  SVC9066: ['rollback-extended', 'compatible', 'minor', 'Undoing lasts longer.'],
  SVC9067: ['compensation-removed', 'breaking', 'major', 'The way to undo is lost.'],
  SVC9068: ['compensation-added', 'compatible', 'minor', 'There is a way to undo.'],
  SVC9069: ['compensation-changed', 'breaking', 'major', 'Callers hold the old name.'],
  // Scope
  SVC9071: ['scope-added', 'breaking', 'major', 'Tokens that were issued no longer cover it.'],
  SVC9072: ['scope-removed', 'weakened', 'minor', 'More tokens may call it.'],
  SVC9073: ['scope-emptied', 'weakened', 'minor', 'Every token may call it.'],
  // Cost
  SVC9081: ['cost-introduced', 'breaking', 'major', 'Tokens without a budget, or in another currency, may fail.'],
  SVC9082: ['cost-removed', 'compatible', 'minor', 'Budgets no longer apply to it.'],
  SVC9083: ['cost-raised', 'breaking', 'major', 'Budgets that covered it may no longer do so.'],
  SVC9084: ['cost-lowered', 'compatible', 'minor', 'Budgets that covered it still do.'],
  SVC9085: ['currency-changed', 'breaking', 'major', 'No budget matches.'],
  SVC9086: ['certainty-to-estimated', 'breaking', 'major', 'Without a binding, no call under a budget passes.'],
  SVC9087: ['certainty-to-fixed', 'compatible', 'minor', 'The amount is within what it could be before.'],
  SVC9088: ['certainty-fixed-to-dynamic', 'compatible', 'minor', 'Another amount is checked.'],
  SVC9089: ['determined-by-changed', 'compatible', 'minor', 'The way to a quote is another.'],
  SVC9090: ['range-narrowed', 'compatible', 'minor', 'The range is within the old one.'],
  // Prerequisites
  SVC9101: ['requires-added', 'compatible', 'minor', 'Agents make one call more.'],
  SVC9102: ['requires-removed', 'compatible', 'minor', 'Agents make one call less.'],
  SVC9103: ['binding-added', 'breaking', 'major', 'Calls without it fail with binding_missing.'],
  SVC9104: ['binding-removed', 'compatible', 'minor', 'Callers need it no longer.'],
  SVC9105: ['binding-max-age-shortened', 'breaking', 'major', 'Bindings are stale earlier.'],
  SVC9106: ['binding-max-age-extended', 'compatible', 'minor', 'Bindings hold longer.'],
  SVC9107: ['binding-field-changed', 'breaking', 'major', 'Calls carry it elsewhere, or one of another type.'],
  SVC9108: ['binding-source-changed', 'compatible', 'minor', 'Bindings of the old source may be refused.'],
  SVC9111: ['control-added', 'breaking', 'major', 'Tokens that do not meet it are restricted.'],
  SVC9112: ['control-removed', 'weakened', 'minor', 'A control is lost.'],
  // Composition
  SVC9121: ['kind-atomic-to-composed', 'compatible', 'minor', 'It may take longer, and fail in part; the contract stays.'],
  SVC9122: ['kind-composed-to-atomic', 'compatible', 'minor', 'The trail has no steps of it any more.'],
  SVC9123: ['steps-changed', 'compatible', 'minor', 'Other actions run inside.'],
  SVC9124: ['mapping-changed', 'compatible', 'minor', 'Other values are passed on.'],
  SVC9125: ['empty-policy-changed', 'breaking', 'major', 'Success becomes failure, or the reverse.'],
  SVC9126: ['empty-output-changed', 'compatible', 'minor', 'An empty result is answered otherwise.'],
  SVC9127: ['failure-policy-changed', 'breaking', 'major', 'Callers see other failures.'],
  SVC9128: ['audit-policy-weakened', 'weakened', 'minor', 'The trail has a gap.'],
  SVC9129: ['audit-policy-strengthened', 'compatible', 'minor', 'The trail says more.'],
  // Answer and trail
  SVC9131: ['response-mode-removed', 'breaking', 'major', 'Callers of that mode fail.'],
  SVC9132: ['response-mode-added', 'compatible', 'minor', 'Callers may choose it.'],
  SVC9133: ['retention-shortened', 'weakened', 'minor', 'Evidence is erased earlier.'],
  SVC9134: ['retention-extended', 'compatible', 'minor', 'Data is kept longer.'],
  SVC9135: ['fields-logged-added', 'compatible', 'minor', 'More data is logged.'],
  SVC9136: ['fields-logged-removed', 'weakened', 'minor', 'The trail has less evidence.'],
  SVC9137: ['logging-disabled', 'weakened', 'minor', 'The trail has a gap.'],
  // Hints and effects
  SVC9141: ['refresh-via-changed', 'compatible', 'patch', 'It is a hint.'],
  SVC9142: ['verify-via-removed', 'compatible', 'minor', 'Agents cannot verify what happened.'],
  SVC9143: ['verify-via-added', 'compatible', 'minor', 'Agents can verify what happened.'],
  SVC9144: ['cross-service-changed', 'compatible', 'patch', 'It is a hint.'],
  SVC9145: ['effects-produces-added', 'compatible', 'minor', 'Policies may deny it.'],
  SVC9146: ['effects-guarantee-removed', 'breaking', 'major', 'A guarantee is withdrawn.'],
  // Approval
  SVC9151: ['grant-policy-narrowed', 'breaking', 'major', 'Continuations that fitted fail.'],
  SVC9152: ['grant-policy-widened', 'weakened', 'minor', 'One approval allows more.'],
  SVC9153: ['approval-introduced', 'breaking', 'major', 'Callers that nobody attends stop.'],
  SVC9154: ['approval-removed', 'weakened', 'minor', 'Nobody approves it any more.'],
  // Versions
  SVC9161: ['version-not-bumped', 'unbumped', undefined, 'Consumers pin a contract by its version.'],
  SVC9162: ['version-bump-too-small', 'unbumped', undefined, 'Consumers pin a contract by its version.'],
  SVC9163: ['version-decreased', 'unbumped', undefined, 'Consumers pin a contract by its version.'],
  SVC9164: ['version-bumped-without-change', 'compatible', undefined, 'Consumers look for what changed.'],
  SVC9165: ['version-bump-too-big', 'compatible', undefined, 'Nothing breaks.'],
  // The service
  SVC9171: ['protocol-raised', 'compatible', 'minor', 'Older consumers refuse newer fields.'],
  SVC9172: ['protocol-lowered', 'breaking', 'major', 'Features vanish.'],
  SVC9173: ['service-id-changed', 'breaking', 'major', 'References and audiences carry the old id.'],
  SVC9174: ['jwks-uri-changed', 'breaking', 'major', 'Tokens and the manifest are verified with keys from there.'],
  SVC9175: ['trust-lowered', 'breaking+weakened', 'major', 'Verifiers ask for more.'],
  SVC9176: ['trust-raised', 'compatible', 'minor', 'Verifiers can ask for more.'],
  SVC9177: ['cadence-slower', 'weakened', 'minor', 'Evidence comes later.'],
  SVC9178: ['endpoint-removed', 'breaking', 'major', 'Its callers fail.'],
  SVC9179: ['endpoint-added', 'compatible', 'minor', 'There is one more.'],
  SVC9180: ['endpoint-path-changed', 'breaking', 'major', 'Clients with a fixed path fail.'],
  SVC9181: ['disclosure-changed', 'weakened', 'minor', 'Callers see more, or less, of why a call failed.'],
  SVC9182: ['expiry-window-changed', 'compatible', 'patch', 'Caches live otherwise.'],
  SVC9183: ['signing-key-removed', 'breaking', 'major', 'What it signed may not verify any more.'],
  SVC9184: ['signing-key-added', 'compatible', 'minor', 'There is one more.'],
  // Of fields that the catalogue of the interface does not have
  SVC9201: ['input-meaning-added', 'compatible', 'minor', 'Agents know more of a value.'],
  SVC9202: ['output-field-type-changed', 'breaking', 'major', 'Typed clients expect another type.'],
  SVC9251: ['output-field-may-be-null', 'breaking', 'major', 'Who reads it always found a value.'],
  SVC9252: ['output-field-always-there', 'compatible', 'minor', 'It is never null any more.'],
  SVC9253: ['value-schema-widened', 'compatible', 'minor', 'Every value that was accepted still is.'],
  SVC9254: ['output-schema-narrowed', 'compatible', 'minor', 'What it gives is still all that was declared.'],
  SVC9255: ['output-schema-changed', 'breaking', 'major', 'It may give what nobody was told of.'],
  SVC9256: ['signing-key-counts-less', 'compatible', 'minor', 'Less of what it signed counts.'],
  SVC9257: ['signing-key-counts-more', 'weakened', 'minor', 'More of what it signed counts, or for something else.'],
  SVC9203: ['output-field-described', 'compatible', 'patch', 'Agents read it.'],
  SVC9204: ['principals-widened', 'weakened', 'minor', 'More principals may call it.'],
  SVC9205: ['principals-narrowed', 'breaking', 'major', 'Principals that called it may no longer.'],
  SVC9206: ['cost-hint-changed', 'compatible', 'patch', 'It is a hint.'],
  SVC9207: ['certainty-changed', 'compatible', 'minor', 'Another amount is checked.'],
  SVC9208: ['amount-input-removed', 'weakened', 'minor', 'The amount that a caller names is no longer checked.'],
  SVC9209: ['amount-input-added', 'breaking', 'major', 'The amount that a caller names is now checked.'],
  SVC9210: ['requires-reason-changed', 'compatible', 'patch', 'Agents read it.'],
  SVC9211: ['verify-via-narrowed', 'compatible', 'patch', 'It is a hint.'],
  SVC9212: ['effects-produces-removed', 'compatible', 'minor', 'It does less.'],
  SVC9213: ['effects-guarantee-added', 'compatible', 'minor', 'A guarantee is given.'],
  SVC9214: ['logging-enabled', 'compatible', 'minor', 'The trail says more.'],
  SVC9215: ['approval-condition-weakened', 'weakened', 'minor', 'Calls that somebody approved pass unseen.'],
  SVC9216: ['approval-condition-strengthened', 'breaking', 'major', 'Calls that passed now wait for an approver.'],
  SVC9217: ['approval-condition-changed', 'breaking+weakened', 'major', 'Some calls that passed now wait, and some that were approved pass unseen.'],
  SVC9218: ['default-grant-changed', 'compatible', 'minor', 'An approver who names no type gives another one.'],
  SVC9219: ['approvers-reduced', 'weakened', 'minor', 'Fewer people must approve it.'],
  SVC9220: ['approvers-raised', 'breaking', 'major', 'More people must approve it.'],
  SVC9221: ['tiers-changed', 'weakened', 'minor', 'Other people may approve it.'],
  SVC9222: ['failure-added', 'compatible', 'minor', 'Callers meet one failure more.'],
  SVC9223: ['failure-removed', 'compatible', 'minor', 'Callers meet one failure less.'],
  SVC9224: ['failure-changed', 'compatible', 'patch', 'Callers read it.'],
  SVC9225: ['extension-changed', 'compatible', 'minor', 'Who reads the extension reads another one.'],
  SVC9226: ['title-changed', 'compatible', 'patch', 'People read it.'],
  SVC9227: ['value-schema-changed', 'breaking', 'major', 'Values that were accepted may be refused.'],
  SVC9228: ['exclusion-removed', 'weakened', 'minor', 'Calls that waited for each other run at once.'],
  SVC9229: ['exclusion-added', 'breaking', 'major', 'Calls that ran at once refuse each other.'],
  SVC9231: ['service-text-changed', 'compatible', undefined, 'People read it.'],
  SVC9232: ['cadence-faster', 'compatible', 'minor', 'Evidence comes earlier.'],
  SVC9233: ['disclosure-narrowed', 'compatible', 'minor', 'Callers see less of why a call failed.'],
  SVC9234: ['approver-scope-changed', 'breaking+weakened', 'major', 'Who approved may no longer; others may.'],
  SVC9235: ['separation-lifted', 'weakened', 'minor', 'Who asks may approve.'],
  SVC9236: ['separation-introduced', 'breaking', 'major', 'Who asks may no longer approve.'],
  SVC9237: ['agents-may-approve', 'weakened', 'minor', 'A machine may approve.'],
  SVC9238: ['agents-may-not-approve', 'breaking', 'major', 'A machine that approved may no longer.'],
  SVC9239: ['request-ttl-shortened', 'breaking', 'major', 'Approvers have less time.'],
  SVC9240: ['request-ttl-extended', 'compatible', 'minor', 'Approvers have more time.'],
  SVC9241: ['denial-shortened', 'weakened', 'minor', 'A denial holds for less long.'],
  SVC9242: ['denial-extended', 'compatible', 'minor', 'A denial holds for longer.'],
  SVC9243: ['depth-raised', 'weakened', 'minor', 'Authority may be delegated further.'],
  SVC9244: ['depth-lowered', 'breaking', 'major', 'Chains that were long enough are too long.'],
  SVC9245: ['lifetime-raised', 'weakened', 'minor', 'A token may live longer.'],
  SVC9246: ['lifetime-lowered', 'breaking', 'major', 'Tokens that could be had cannot.'],
  SVC9247: ['default-lifetime-changed', 'compatible', 'minor', 'A token that names no lifetime lives otherwise.'],
  SVC9248: ['delegation-to-humans-allowed', 'weakened', 'minor', 'A person may delegate to another.'],
  SVC9249: ['delegation-to-humans-forbidden', 'breaking', 'major', 'A person may no longer delegate to another.'],
  SVC9250: ['field-changed', 'compatible', 'minor', 'It is none of the fields that this version knows the meaning of.'],
}

export const CHANGE_KINDS: ReadonlyMap<string, ChangeKind> = new Map(
  Object.entries(ROWS).map(([code, [slug, effect, bump, why]]) => [
    code,
    effect === 'breaking+weakened'
      ? { code, slug, effect: 'breaking', weakens: true, bump, why }
      : { code, slug, effect, bump, why },
  ]),
)

export const changeKindOf = (code: string): ChangeKind => CHANGE_KINDS.get(code)!
