import { describe, expect, it } from 'vitest'
import { compareManifests } from '../../../src/compiler/diff/compare.js'
import type { Effect } from '../../../src/compiler/diff/effects.js'
import { PINNED } from '../../../src/compiler/diff/pinned.js'
import { CHANGE_KINDS, type Bump } from '../../../src/compiler/diff/kinds.js'
import { failsOn } from '../../../src/compiler/diff/report/run.js'
import { endpointsOtherwise } from '../../../src/compiler/diff/service.js'
import type { Manifest } from '../../../src/protocol/manifest.js'
import { base, manifestOf, type Loose } from './base.js'

type Edit = (manifest: Loose) => void
/** A step on another service. */
const STEP = {
  target: { service: 'billing', capability: 'pay' },
  continuity: 'same_task',
  completion_mode: 'followup_status',
}
/** The new manifest is the one that every field has. */
const BASE: Edit = () => undefined
interface Pair {
  readonly before?: Edit
  readonly after: Edit
  /** All codes but those of versions; the row's own when absent. */
  readonly codes?: readonly string[]
  readonly effect?: Effect
  readonly bump?: Bump
  /** Fields that the reader does not take yet, or only of what was published: the manifests are compared as they are. */
  readonly unread?: true
}

const quote = (m: Loose) => m['capabilities']!['quote']!
const order = (m: Loose) => m['capabilities']!['order']!
const day = (m: Loose) => m['capabilities']!['day']!
const input = (m: Loose, index: number) => quote(m)['inputs']![index]!
const set = (target: Loose, name: string, value: unknown) =>
  void ((target as { [name: string]: unknown })[name] = value)
const unset = (target: Loose, name: string) => void delete (target as { [name: string]: unknown })[name]
const items = (list: Loose) => list as unknown as unknown[]
const push = (list: Loose, item: unknown) => void items(list).push(item)
/** The last checkpoint of a key that leaked. */
const last = (sequence: number) => ({ sequence, entry_count: 10 * sequence, merkle_root: `sha256:${sequence}` })
const effectOf =
  (type: string): Edit =>
  (m) =>
    set(order(m), 'side_effect', { type })
const financial =
  (certainty: string, rest: object): Edit =>
  (m) =>
    set(order(m), 'cost', { certainty, financial: { currency: 'EUR', ...rest } })
const when =
  (...conditions: readonly object[]): Edit =>
  (m) =>
    set(order(m)['approval']!, 'required', { when: conditions })
const required =
  (value: string): Edit =>
  (m) =>
    set(order(m)['approval']!, 'required', value)
const limit =
  (name: string, value: number): Edit =>
  (m) =>
    set(m['limits']!, name, value)
/** A type that says nothing, so that a schema may say anything. */
const ANY: Edit = (m) => set(input(m, 0), 'type', 'any')
const schema =
  (inside: object, shared?: object): Edit =>
  (m) => {
    ANY(m)
    set(input(m, 0), 'x-schema', inside)
    if (shared !== undefined) set(m, 'x-schemas', shared)
  }
const outputSchema =
  (inside: object): Edit =>
  (m) =>
    set(quote(m)['output']!['fields']![0]!, 'x-schema', inside)
const LINE = {
  type: 'object',
  properties: { sku: { type: 'string' }, count: { type: 'integer' } },
  required: ['sku'],
  additionalProperties: false,
}
const approvals =
  (name: string, value: unknown): Edit =>
  (m) =>
    set(m['approvals']!, name, value)
const unbound: Edit = (m) => unset(order(m), 'requires_binding')
const noDetermination: Edit = (m) => unset(order(m)['cost']!, 'determined_by')
const both =
  (...edits: readonly Edit[]): Edit =>
  (m) =>
    edits.forEach((edit) => edit(m))

/** For each kind a pair of manifests that has it. */
const PAIRS: { readonly [code: string]: Pair | readonly Pair[] } = {
  SVC9001: { after: (m) => unset(m['capabilities']!, 'day') },
  SVC9002: [
    { before: (m) => unset(m['capabilities']!, 'day'), after: BASE, effect: 'weakened' },
    { after: (m) => set(m['capabilities']!, 'other', { ...day(m), minimum_scope: ['new.scope'] }) },
    { after: (m) => set(m['capabilities']!, 'other', { ...day(m), minimum_scope: [...(order(m)['minimum_scope'] as never as string[]), 'new.scope'] }) },
    { after: (m) => set(m['capabilities']!, 'other', { ...day(m), minimum_scope: order(m)['minimum_scope'] }), effect: 'weakened' },
    { after: (m) => set(m['capabilities']!, 'other', { ...day(m), minimum_scope: [] }), effect: 'weakened' },
  ],
  SVC9003: { after: (m) => (set(m['capabilities']!, 'whole_day', day(m)), unset(m['capabilities']!, 'day')) },
  SVC9004: { after: (m) => set(quote(m), 'description', 'Quote the price of one order.') },
  SVC9005: { after: (m) => set(quote(m), 'description', 'Quote the price of an order without delivery.') },
  SVC9011: [
    { after: (m) => push(quote(m)['inputs']!, { name: 'day', type: 'date' }) },
    { after: (m) => push(quote(m)['inputs']!, { name: 'day', type: 'date', default: '2030-01-01' }) },
  ],
  SVC9012: { after: (m) => push(quote(m)['inputs']!, { name: 'day', type: 'date', required: false }) },
  SVC9013: [
    { after: (m) => void items(quote(m)['inputs']!).pop() },
    { before: (m) => push(quote(m)['inputs']!, { name: 'day', type: 'date' }), after: (m) => void items(quote(m)['inputs']!).splice(2), codes: ['SVC9013', 'SVC9013'] },
  ],
  SVC9014: { after: (m) => set(input(m, 0), 'required', false) },
  SVC9015: { before: (m) => set(input(m, 0), 'required', false), after: (m) => set(input(m, 0), 'required', true) },
  SVC9016: { after: (m) => set(input(m, 0), 'name', 'pieces') },
  SVC9017: [
    { after: (m) => set(input(m, 0), 'type', 'boolean') },
    { before: (m) => set(input(m, 0), 'type', 'number'), after: (m) => set(input(m, 0), 'type', 'integer') },
  ],
  SVC9018: { after: (m) => set(input(m, 0), 'type', 'number') },
  SVC9019: { before: (m) => (unset(input(m, 1), 'default'), unset(input(m, 1)['resolution']!, 'on_missing')), after: (m) => set(input(m, 1), 'default', 'rye'), codes: ['SVC9019'] },
  SVC9020: [
    { after: (m) => (unset(input(m, 1), 'default'), unset(input(m, 1)['resolution']!, 'on_missing')), codes: ['SVC9020', 'SVC9040'], effect: 'breaking', bump: 'major' },
    { before: (m) => set(input(m, 0), 'default', 1), after: (m) => unset(input(m, 0), 'default') },
  ],
  SVC9021: { after: (m) => set(input(m, 1), 'default', 'spelt') },
  SVC9022: { after: (m) => void items(quote(m)['inputs']!).reverse() },
  SVC9023: { after: (m) => set(input(m, 0), 'description', 'How many.') },
  SVC9024: { after: (m) => set(input(m, 1), 'allowed_values', ['rye']) },
  SVC9025: { after: (m) => push(input(m, 1)['allowed_values']!, 'oat') },
  SVC9026: { after: (m) => set(input(m, 0), 'allowed_values', [1, 2]) },
  SVC9027: { before: (m) => set(input(m, 0), 'allowed_values', [1, 2]), after: (m) => unset(input(m, 0), 'allowed_values') },
  SVC9028: { after: (m) => set(input(m, 1), 'input_meanings', [{ value: 'rye', label: 'Sour bread' }]) },
  SVC9029: { after: (m) => set(input(m, 2), 'catalog_ref', 'clients') },
  SVC9030: { after: (m) => set(input(m, 2)['resolution']!, 'resolver_ref', 'clients') },
  SVC9031: [
    { after: (m) => set(input(m, 1), 'semantic_type', 'grain') },
    { after: (m) => unset(input(m, 1), 'semantic_type') },
  ],
  SVC9032: { after: (m) => set(input(m, 2), 'entity_reference', true) },
  SVC9033: { before: (m) => set(input(m, 2), 'entity_reference', true), after: (m) => set(input(m, 2), 'entity_reference', false) },
  SVC9034: [
    { after: (m) => set(input(m, 0), 'resolution', { mode: 'app_selected' }) },
    { after: (m) => set(input(m, 0), 'resolution', { mode: 'explicit_only' }), effect: 'breaking', bump: 'major' },
  ],
  SVC9035: { after: (m) => unset(input(m, 2), 'resolution') },
  SVC9036: [
    { after: (m) => set(input(m, 2), 'resolution', { mode: 'explicit_only', on_missing: 'clarify', on_ambiguous: 'clarify' }), codes: ['SVC9030', 'SVC9036'] },
    { after: (m) => set(input(m, 2)['resolution']!, 'mode', 'actor_policy'), unread: true },
  ],
  SVC9037: { before: (m) => set(input(m, 0), 'resolution', { mode: 'explicit_only' }), after: (m) => set(input(m, 0), 'resolution', { mode: 'app_selected' }) },
  SVC9038: [
    { after: (m) => set(input(m, 1)['resolution']!, 'on_missing', 'deny') },
    ...['clarify', 'deny_or_clarify', 'app_select_or_clarify'].map((mode) => ({ after: (m: Loose) => set(input(m, 1)['resolution']!, 'on_missing', mode), unread: true } as const)),
  ],
  SVC9039: { before: (m) => set(input(m, 1)['resolution']!, 'on_missing', 'deny'), after: (m) => set(input(m, 1)['resolution']!, 'on_missing', 'use_default') },
  SVC9040: [
    { after: (m) => set(input(m, 2)['resolution']!, 'on_ambiguous', 'use_default'), unread: true },
    { after: (m) => set(input(m, 2)['resolution']!, 'on_ambiguous', 'deny'), effect: 'compatible' },
  ],
  SVC9051: { after: (m) => void items(quote(m)['output']!['fields']!).pop() },
  SVC9052: [
    { after: (m) => push(quote(m)['output']!['fields']!, { name: 'until', type: 'datetime' }) },
    // Which of two is which, nobody can say.
    { before: (m) => push(quote(m)['output']!['fields']!, { name: 'weight', type: 'number' }), after: (m) => (set(quote(m)['output']!['fields']![1]!, 'name', 'full_price'), set(quote(m)['output']!['fields']![2]!, 'name', 'full_weight')), codes: ['SVC9051', 'SVC9051', 'SVC9052', 'SVC9052'] },
  ],
  SVC9053: { after: (m) => set(quote(m)['output']!['fields']![1]!, 'name', 'full_price') },
  SVC9054: { after: (m) => set(quote(m)['output']!, 'type', 'offer') },
  SVC9055: { after: (m) => void items(quote(m)['output']!['fields']!).reverse() },
  SVC9061: [
    { after: effectOf('irreversible') },
    { before: effectOf('read'), after: effectOf('write') },
    { before: effectOf('write'), after: effectOf('irreversible') },
    { before: effectOf('read'), after: effectOf('transactional') },
  ],
  SVC9062: [
    { after: effectOf('read') },
    { before: effectOf('irreversible'), after: effectOf('write') },
    { before: effectOf('irreversible'), after: effectOf('transactional') },
    { before: effectOf('write'), after: effectOf('read') },
  ],
  SVC9063: { before: effectOf('write'), after: effectOf('transactional') },
  SVC9064: { after: effectOf('write') },
  SVC9065: [
    { after: (m) => set(order(m)['side_effect']!, 'rollback_window', 'PT1H') },
    { after: (m) => unset(order(m)['side_effect']!, 'rollback_window') },
  ],
  SVC9066: { after: (m) => set(order(m)['side_effect']!, 'rollback_window', 'P2D') },
  SVC9067: { after: (m) => unset(order(m)['side_effect']!, 'compensation') },
  SVC9068: { before: (m) => unset(order(m)['side_effect']!, 'compensation'), after: (m) => set(order(m)['side_effect']!, 'compensation', 'cancel') },
  SVC9069: { after: (m) => set(order(m)['side_effect']!, 'compensation', 'read_order'), unread: true },
  SVC9071: { after: (m) => push(order(m)['minimum_scope']!, 'shop.pay') },
  SVC9072: { after: (m) => void items(order(m)['minimum_scope']!).pop() },
  SVC9073: { after: (m) => set(quote(m), 'minimum_scope', []) },
  SVC9081: { before: (m) => (unset(order(m), 'cost'), unset(order(m), 'control_requirements')), after: (m) => set(order(m), 'cost', { certainty: 'fixed', financial: { currency: 'EUR', amount: 5 } }) },
  SVC9082: { before: both((m) => unset(order(m), 'control_requirements'), financial('fixed', { amount: 5 })), after: (m) => unset(order(m), 'cost') },
  SVC9083: [
    { after: (m) => set(order(m)['cost']!['financial']!, 'range_max', 60) },
    { before: financial('fixed', { amount: 5 }), after: financial('fixed', { amount: 6 }) },
    { before: financial('dynamic', { upper_bound: 5 }), after: financial('dynamic', { upper_bound: 6 }) },
    { before: financial('fixed', { amount: 5 }), after: financial('dynamic', { upper_bound: 6 }) },
    { before: financial('dynamic', { upper_bound: 5 }), after: financial('fixed', { amount: 6 }) },
  ],
  SVC9084: [
    { before: financial('fixed', { amount: 5 }), after: financial('fixed', { amount: 4 }) },
    { before: financial('dynamic', { upper_bound: 5 }), after: financial('dynamic', { upper_bound: 4 }) },
  ],
  SVC9085: [
    { after: (m) => set(order(m)['cost']!['financial']!, 'currency', 'USD') },
    { after: (m) => (set(order(m)['cost']!['financial']!, 'currency', 'JPY'), set(order(m)['cost']!['financial']!, 'range_max', 9000)), codes: ['SVC9085', 'SVC9085'] },
  ],
  SVC9086: [
    { before: both(unbound, financial('fixed', { amount: 5 })), after: both(unbound, financial('estimated', { range_min: 1, range_max: 5 })) },
  ],
  SVC9087: [
    { before: financial('dynamic', { upper_bound: 5 }), after: financial('fixed', { amount: 4 }) },
    { before: financial('dynamic', { upper_bound: 5 }), after: financial('fixed', { amount: 5 }), effect: 'compatible' },
    { before: financial('estimated', { range_min: 1, range_max: 5 }), after: financial('fixed', { amount: 4 }) },
  ],
  SVC9088: [
    { before: financial('fixed', { amount: 5 }), after: financial('dynamic', { upper_bound: 4 }) },
    { before: financial('fixed', { amount: 5 }), after: financial('dynamic', { upper_bound: 5 }), effect: 'compatible' },
  ],
  SVC9089: { after: (m) => set(order(m)['cost']!, 'determined_by', 'amount') },
  SVC9090: [
    { after: (m) => set(order(m)['cost']!['financial']!, 'range_max', 40) },
    { after: (m) => set(order(m)['cost']!['financial']!, 'range_min', 6), effect: 'compatible' },
  ],
  SVC9101: { after: (m) => push(order(m)['requires']!, { capability: 'read_order', reason: 'It shows what was ordered.' }) },
  SVC9102: { after: (m) => void items(order(m)['requires']!).pop() },
  SVC9103: { before: both(unbound, financial('fixed', { amount: 5 })), after: (m) => (financial('fixed', { amount: 5 })(m), set(order(m), 'requires_binding', [{ type: 'quote', field: 'quote_id' }])) },
  SVC9104: [
    { before: financial('fixed', { amount: 5 }), after: both(unbound, financial('fixed', { amount: 5 })) },
    { after: unbound, effect: 'breaking', bump: 'major' },
    { after: (m) => set(order(m), 'requires_binding', [{ type: 'offer', field: 'amount' }]), codes: ['SVC9103', 'SVC9104'], effect: 'breaking', bump: 'major', unread: true },
  ],
  SVC9105: [
    { after: (m) => set(order(m)['requires_binding']![0]!, 'max_age', 'PT5M') },
    { before: (m) => unset(order(m)['requires_binding']![0]!, 'max_age'), after: BASE },
  ],
  SVC9106: [
    { after: (m) => set(order(m)['requires_binding']![0]!, 'max_age', 'PT30M') },
    { after: (m) => unset(order(m)['requires_binding']![0]!, 'max_age') },
  ],
  SVC9107: [
    { after: (m) => set(order(m)['requires_binding']![0]!, 'type', 'offer') },
    { after: (m) => set(order(m)['requires_binding']![0]!, 'field', 'amount'), unread: true },
  ],
  SVC9108: [
    { after: (m) => set(order(m)['requires_binding']![0]!, 'source_capability', 'read_order') },
    { after: (m) => unset(order(m)['requires_binding']![0]!, 'source_capability') },
    { before: (m) => unset(order(m)['requires_binding']![0]!, 'source_capability'), after: BASE, effect: 'breaking', bump: 'major' },
  ],
  SVC9111: { after: (m) => push(order(m)['control_requirements']!, { type: 'stronger_delegation_required' }) },
  SVC9112: { after: (m) => unset(order(m), 'control_requirements') },
  SVC9121: { before: (m) => (unset(day(m), 'kind'), unset(day(m), 'composition')), after: BASE },
  SVC9122: { after: (m) => (unset(day(m), 'kind'), unset(day(m), 'composition')) },
  SVC9123: { after: (m) => set(day(m)['composition']!['steps']![0]!, 'empty_result_path', '$.order'), unread: true },
  SVC9124: [
    { after: (m) => set(day(m)['composition']!['output_mapping']!, 'order_id', '$.input.order_id') },
    { after: (m) => set(day(m)['composition']!['input_mapping']!['first']!, 'order_id', '$.input.other'), unread: true },
    { after: (m) => set(day(m)['composition']!, 'x-literals', { first: { order_id: 'one' } }), unread: true },
  ],
  SVC9125: { after: (m) => (set(day(m)['composition']!, 'empty_result_policy', 'deny'), unset(day(m)['composition']!, 'empty_result_output')), codes: ['SVC9125', 'SVC9126'] },
  SVC9126: { after: (m) => set(day(m)['composition']!, 'empty_result_output', { order_id: 'none' }) },
  SVC9127: { after: (m) => set(day(m)['composition']!, 'failure_policy', 'fail_parent') },
  SVC9128: [
    { after: (m) => set(day(m)['composition']!['audit_policy']!, 'record_child_invocations', false) },
    { after: (m) => set(day(m)['composition']!['audit_policy']!, 'parent_task_lineage', false) },
  ],
  SVC9129: { before: (m) => set(day(m)['composition']!['audit_policy']!, 'parent_task_lineage', false), after: (m) => set(day(m)['composition']!['audit_policy']!, 'parent_task_lineage', true) },
  SVC9131: { before: (m) => set(quote(m), 'response_modes', ['unary', 'streaming']), after: (m) => set(quote(m), 'response_modes', ['unary']) },
  SVC9132: { after: (m) => set(quote(m), 'response_modes', ['unary', 'streaming']) },
  SVC9133: [
    { after: (m) => set(order(m)['observability']!, 'retention', 'P30D') },
    { before: (m) => unset(order(m)['observability']!, 'retention'), after: BASE },
  ],
  SVC9134: { after: (m) => set(order(m)['observability']!, 'retention', 'P180D') },
  SVC9135: { after: (m) => push(order(m)['observability']!['fields_logged']!, 'quote_id') },
  SVC9136: { after: (m) => set(order(m)['observability']!, 'fields_logged', []) },
  SVC9137: { after: (m) => set(order(m)['observability']!, 'logged', false), unread: true },
  SVC9141: [
    { after: (m) => unset(order(m), 'refresh_via') },
    { after: (m) => set(order(m), 'refresh_via', ['cancel']), bump: 'minor' },
  ],
  SVC9142: { after: (m) => unset(order(m), 'verify_via') },
  SVC9143: { before: (m) => unset(order(m), 'verify_via'), after: BASE },
  SVC9144: { after: (m) => unset(order(m), 'cross_service') },
  SVC9145: { after: (m) => push(order(m)['business_effects']!['produces']!, 'bread.baked') },
  SVC9146: { after: (m) => set(order(m)['business_effects']!, 'does_not_produce', []) },
  SVC9151: [
    { after: (m) => set(order(m)['approval']!['grant_policy']!, 'expires_in_seconds', 60) },
    { before: (m) => set(order(m)['approval']!['grant_policy']!, 'max_uses', 3), after: (m) => set(order(m)['approval']!['grant_policy']!, 'max_uses', 2) },
    { before: (m) => push(order(m)['approval']!['grant_policy']!['allowed_grant_types']!, 'session_bound'), after: BASE },
  ],
  SVC9152: [
    { after: (m) => set(order(m)['approval']!['grant_policy']!, 'expires_in_seconds', 6000) },
    { after: (m) => set(order(m)['approval']!['grant_policy']!, 'max_uses', 2) },
    { after: (m) => push(order(m)['approval']!['grant_policy']!['allowed_grant_types']!, 'session_bound') },
  ],
  SVC9153: { before: (m) => unset(order(m), 'approval'), after: BASE, codes: ['SVC9153', 'SVC9179', 'SVC9179'] },
  SVC9154: { after: (m) => unset(order(m), 'approval'), codes: ['SVC9154', 'SVC9178', 'SVC9178'] },
  SVC9161: { after: (m) => set(quote(m), 'description', 'Quote the price of one order.'), codes: ['SVC9004', 'SVC9161'] },
  SVC9162: { after: (m) => (void items(quote(m)['inputs']!).pop(), set(quote(m), 'contract_version', '1.3.0')), codes: ['SVC9013', 'SVC9162'] },
  SVC9163: { after: (m) => set(quote(m), 'contract_version', '1.2.2') },
  SVC9164: { after: (m) => set(quote(m), 'contract_version', '1.2.4') },
  SVC9165: { after: (m) => (set(quote(m), 'description', 'Quote the price of one order.'), set(quote(m), 'contract_version', '2.0.0')), codes: ['SVC9004', 'SVC9165'] },
  SVC9171: { before: (m) => set(m['manifest_metadata']!, 'version', '0.23.0'), after: (m) => set(m['manifest_metadata']!, 'version', '0.24.0'), unread: true },
  SVC9172: { after: (m) => set(m['manifest_metadata']!, 'version', '0.9.0'), unread: true },
  SVC9173: { after: (m) => set(m['service_identity']!, 'id', 'bakery') },
  SVC9174: { before: (m) => set(m['service_identity']!, 'jwks_uri', '/.well-known/jwks.json'), after: (m) => set(m['service_identity']!, 'jwks_uri', '/keys.json') },
  SVC9175: { after: (m) => set(m, 'trust', { level: 'signed' }), codes: ['SVC9175', 'SVC9178'] },
  SVC9176: { before: (m) => set(m, 'trust', { level: 'declarative' }), after: (m) => set(m, 'trust', { level: 'signed' }) },
  SVC9177: { after: (m) => set(m['trust']!['anchoring']!, 'cadence', 'daily') },
  SVC9178: { before: (m) => unset(order(m), 'approval'), after: (m) => (unset(order(m), 'approval'), set(m, 'trust', { level: 'signed' })), codes: ['SVC9175', 'SVC9178'] },
  SVC9179: { before: (m) => set(m, 'trust', { level: 'signed' }), after: BASE, codes: ['SVC9176', 'SVC9179'] },
  SVC9181: [
    { after: (m) => set(m['metadata_disclosure']!['caller_class']!, 'default', 'full') },
    { after: (m) => set(m['metadata_disclosure']!['caller_class']!, 'partner', 'full') },
    { after: (m) => unset(m, 'metadata_disclosure'), codes: ['SVC9181', 'SVC9181', 'SVC9181'] },
    { after: (m) => set(m['metadata_disclosure']!, 'failure_detail', 'full') },
  ],
  SVC9182: { before: (m) => set(m['manifest_metadata']!, 'expires_at', '2030-01-01T00:00:00Z'), after: (m) => set(m['manifest_metadata']!, 'expires_at', '2031-01-01T00:00:00Z') },
  SVC9183: { before: (m) => set(m['service_identity']!, 'x-keys', { a: {}, b: {} }), after: (m) => set(m['service_identity']!, 'x-keys', { a: {} }), unread: true },
  SVC9184: { before: (m) => set(m['service_identity']!, 'x-keys', { a: {} }), after: (m) => set(m['service_identity']!, 'x-keys', { a: {}, b: {} }), unread: true },
  SVC9256: [
    { before: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', until_checkpoint: last(8) } }), after: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', until_checkpoint: last(8), retired_from: '2030-01-01T00:00:00Z' } }), unread: true },
    { before: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit' } }), after: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', retired_from: '2030-01-01T00:00:00Z' } }), unread: true },
    { before: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', until_checkpoint: last(9) } }), after: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', until_checkpoint: last(8) } }), unread: true },
    { before: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', retired_from: '2030-01-01T00:00:00Z' } }), after: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', retired_from: '2029-01-01T00:00:00Z' } }), unread: true },
    { before: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', retired_from: '2030-01-01T00:00:00Z', until_checkpoint: last(9) } }), after: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', retired_from: '2030-01-01T00:00:00Z', until_checkpoint: last(8) } }), unread: true },
  ],
  SVC9257: [
    { before: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', until_checkpoint: last(8) } }), after: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit' } }), unread: true },
    { before: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', until_checkpoint: last(8) } }), after: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', until_checkpoint: { ...last(8), merkle_root: 'other' } } }), unread: true },
    { before: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit' } }), after: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'manifest' } }), unread: true },
    { before: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', retired_from: '2030-01-01T00:00:00Z' } }), after: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit' } }), unread: true },
    { before: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', retired_from: '2030-01-01T00:00:00Z' } }), after: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', retired_from: '2031-01-01T00:00:00Z' } }), unread: true },
    { before: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', until_checkpoint: last(8) } }), after: (m) => set(m['service_identity']!, 'x-keys', { a: { role: 'audit', until_checkpoint: last(9) } }), unread: true },
  ],
  SVC9201: { after: (m) => push(input(m, 1)['input_meanings']!, { value: 'spelt', label: 'Light bread' }) },
  SVC9202: { after: (m) => set(quote(m)['output']!['fields']![1]!, 'type', 'string') },
  SVC9251: { after: (m) => set(quote(m)['output']!['fields']![1]!, 'type', ['number', 'null']) },
  SVC9252: { before: (m) => set(quote(m)['output']!['fields']![1]!, 'type', ['number', 'null']), after: BASE },
  SVC9203: { after: (m) => set(quote(m)['output']!['fields']![0]!, 'description', 'The offer.') },
  SVC9204: [
    { after: (m) => unset(order(m), 'requires_principal') },
    { after: (m) => push(order(m)['requires_principal']!, 'service') },
  ],
  SVC9205: [
    { before: (m) => unset(order(m), 'requires_principal'), after: (m) => set(order(m), 'requires_principal', 'human') },
    { after: (m) => set(order(m), 'requires_principal', ['human']) },
  ],
  SVC9206: [
    { after: (m) => set(order(m)['cost']!['financial']!, 'typical', 12) },
    { after: (m) => unset(order(m)['cost']!, 'compute') },
  ],
  SVC9207: [
    { after: financial('dynamic', { upper_bound: 50 }), before: both(noDetermination, (m) => (unset(order(m)['cost']!, 'compute'), unset(order(m)['cost']!['financial']!, 'typical'))) },
    { before: both(unbound, financial('fixed', { amount: 5 })), after: (m) => (financial('estimated', { range_min: 1, range_max: 5 })(m), set(order(m), 'requires_binding', [{ type: 'quote', field: 'quote_id' }])), codes: ['SVC9103', 'SVC9207'] },
  ],
  SVC9208: { before: (m) => set(order(m)['cost']!['financial']!, 'x-amount-input', 'amount'), after: (m) => set(order(m)['cost']!['financial']!, 'x-amount-input', false), unread: true },
  SVC9209: { after: (m) => set(order(m)['cost']!['financial']!, 'x-amount-input', 'amount'), unread: true },
  SVC9210: { after: (m) => set(order(m)['requires']![0]!, 'reason', 'It names the price.') },
  SVC9211: { before: (m) => push(order(m)['verify_via']!, 'quote'), after: BASE },
  SVC9212: { after: (m) => set(order(m)['business_effects']!, 'produces', []) },
  SVC9213: { after: (m) => push(order(m)['business_effects']!['does_not_produce']!, 'bread.baked') },
  SVC9214: { before: (m) => set(order(m)['observability']!, 'logged', false), after: BASE, unread: true },
  SVC9215: [
    { before: required('always'), after: when({ input: 'amount', above: 100 }) },
    { before: required('always'), after: required('handler') },
    { after: when({ input: 'amount', above: 1000 }) },
    { after: when({ input: 'amount', above: 100 }, { input: 'quote_id', equals: 'a' }) },
    { before: when({ input: 'quote_id', in: ['a', 'b'] }), after: when({ input: 'quote_id', in: ['a'] }) },
    { before: when({ input: 'amount', below: 10 }), after: when({ input: 'amount', below: 5 }) },
    { before: when({ input: 'amount', at_least: 5 }), after: when({ input: 'amount', at_least: 10 }) },
    { before: when({ cost: { above: 10 } }), after: when({ cost: { above: 20 } }), unread: true },
  ],
  SVC9216: [
    { after: required('always') },
    { before: required('handler'), after: required('always') },
    { after: when({ input: 'amount', above: 10 }) },
    { before: when({ input: 'amount', above: 100 }, { input: 'quote_id', equals: 'a' }), after: BASE },
    { before: when({ input: 'quote_id', in: ['a'] }), after: when({ input: 'quote_id', in: ['a', 'b'] }) },
    { before: when({ input: 'amount', at_most: 5 }), after: when({ input: 'amount', at_most: 10 }) },
  ],
  SVC9217: [
    { after: when({ input: 'amount', below: 100 }) },
    { after: required('handler') },
    { before: when({ input: 'quote_id', equals: 'a' }), after: when({ input: 'quote_id', equals: 'b' }) },
    { before: when({ input: 'amount', above: 10 }, { input: 'amount', below: 100 }), after: when({ input: 'amount', above: 20 }, { input: 'amount', below: 200 }) },
  ],
  SVC9218: [{ before: (m) => set(order(m)['approval']!['grant_policy']!, 'allowed_grant_types', ['one_time', 'session_bound']), after: (m) => set(order(m)['approval']!, 'grant_policy', { allowed_grant_types: ['one_time', 'session_bound'], default_grant_type: 'session_bound', expires_in_seconds: 600, max_uses: 1 }) }],
  SVC9219: { before: (m) => set(order(m)['approval']!, 'approvers', 2), after: BASE, unread: true },
  SVC9220: { after: (m) => set(order(m)['approval']!, 'approvers', 2), unread: true },
  SVC9221: { after: (m) => set(order(m)['approval']!, 'tiers', [{ cost_above: 5, approver_scope: 'shop.chief' }]), unread: true },
  SVC9222: { after: (m) => set(quote(m)['x-failures']!, 'closed_today', 'The shop is closed.') },
  SVC9223: { after: (m) => unset(quote(m), 'x-failures') },
  SVC9224: { after: (m) => set(order(m)['x-failures']!['oven_cold']!, 'status', 423) },
  SVC9225: [
    { after: (m) => set(quote(m), 'x-owner', 'bakers') },
    { after: (m) => set(m, 'x-owner', 'bakers') },
    { after: (m) => set(input(m, 0), 'x-owner', 'bakers') },
    { after: (m) => set(order(m)['cost']!, 'x-owner', 'bakers') },
    { after: (m) => set(order(m)['approval']!['grant_policy']!, 'x-owner', 'bakers') },
  ],
  SVC9226: { after: (m) => set(quote(m), 'x-title', 'A quote') },
  SVC9227: [
    { before: ANY, after: schema({ type: 'string', maxLength: 5 }) },
    { before: schema({ type: 'string', minLength: 1 }), after: schema({ type: 'string', minLength: 2 }) },
    { before: schema({ enum: ['a', 'b'] }), after: schema({ enum: ['a'] }) },
    { before: schema({ $ref: '#/x-schemas/Text' }, { Text: { type: 'string' } }), after: schema({ $ref: '#/x-schemas/Text' }, { Text: { type: 'string', format: 'date' } }) },
    { before: schema(LINE), after: schema({ ...LINE, required: ['sku', 'count'] }) },
    { before: schema(LINE), after: schema({ ...LINE, properties: { sku: LINE.properties.sku } }) },
    { before: schema({ ...LINE, additionalProperties: true }), after: schema(LINE) },
    { before: schema({ type: 'array', items: { type: 'string' } }), after: schema({ type: 'array', items: { type: 'string', maxLength: 5 } }) },
  ],
  SVC9253: [
    { before: schema({ type: 'string', maxLength: 5 }), after: (m) => unset(input(m, 0), 'x-schema') },
    { before: schema({ type: 'string', minLength: 2 }), after: schema({ type: 'string', minLength: 1 }) },
    { before: schema({ type: 'string', maxLength: 5 }), after: schema({ type: 'string', maxLength: 5, description: 'Short.' }), effect: 'compatible' },
    { before: schema({ $ref: '#/x-schemas/Text' }, { Text: { type: 'string', format: 'date' } }), after: schema({ $ref: '#/x-schemas/Text' }, { Text: { type: 'string' } }) },
    { before: schema(LINE), after: schema({ ...LINE, properties: { ...LINE.properties, note: { type: 'string' } } }) },
    { before: schema(LINE), after: schema({ ...LINE, required: [] }) },
    { before: schema(LINE), after: schema({ anyOf: [{ type: 'null' }, LINE] }) },
    { before: schema({ enum: ['a'] }), after: schema({ type: 'string' }) },
  ],
  SVC9254: { before: outputSchema({ type: 'string' }), after: outputSchema({ type: 'string', maxLength: 5 }) },
  SVC9255: [
    { before: outputSchema({ type: 'string', maxLength: 5 }), after: outputSchema({ type: 'string' }) },
    { before: outputSchema({ enum: ['a'] }), after: outputSchema({ enum: ['b'] }) },
  ],
  SVC9261: [
    { before: (m) => set(order(m), 'x-upstream', { answers: 'strict' }), after: (m) => set(order(m), 'x-upstream', { answers: 'loose' }) },
  ],
  SVC9262: [
    { before: (m) => set(order(m), 'x-upstream', { answers: 'loose' }), after: (m) => set(order(m), 'x-upstream', { answers: 'strict' }) },
    { before: (m) => set(order(m), 'x-upstream', { slashes: ['quote_id', 'amount'] }), after: (m) => set(order(m), 'x-upstream', { slashes: ['amount'] }) },
  ],
  SVC9263: [
    { before: (m) => set(order(m), 'x-upstream', { slashes: ['amount'] }), after: (m) => set(order(m), 'x-upstream', { slashes: ['quote_id', 'amount'] }) },
  ],
  SVC9266: [
    { before: (m) => set(order(m), 'x-upstream', { connection: 'mail' }), after: (m) => set(order(m), 'x-upstream', { connection: 'files' }) },
    { before: (m) => set(order(m), 'x-upstream', { connection: 'mail' }), after: (m) => set(order(m), 'x-upstream', {}) },
  ],
  SVC9228: [
    { before: (m) => set(order(m), 'x-exclusive-by', ['quote_id']), after: BASE },
    { before: (m) => set(order(m), 'x-exclusive-by', ['quote_id']), after: (m) => set(order(m), 'x-exclusive-by', ['quote_id', 'amount']) },
  ],
  SVC9229: [
    { after: (m) => set(order(m), 'x-exclusive-by', ['quote_id']) },
    { before: (m) => set(order(m), 'x-exclusive-by', ['quote_id', 'amount']), after: (m) => set(order(m), 'x-exclusive-by', ['amount']) },
  ],
  SVC9231: { after: (m) => set(m['service_identity']!, 'description', 'Sells good bread.') },
  SVC9232: { after: (m) => set(m['trust']!['anchoring']!, 'cadence', 'PT10M') },
  SVC9233: { after: (m) => set(m['metadata_disclosure']!['caller_class']!, 'internal', 'reduced') },
  SVC9234: { after: approvals('approver_scope', 'shop.chief') },
  SVC9235: { after: approvals('separation_of_duties', false) },
  SVC9236: { before: approvals('separation_of_duties', false), after: approvals('separation_of_duties', true) },
  SVC9237: { after: approvals('allow_agents', true) },
  SVC9238: { before: approvals('allow_agents', true), after: approvals('allow_agents', false) },
  SVC9239: { after: approvals('request_ttl', 'PT1H') },
  SVC9240: { after: approvals('request_ttl', 'P3D') },
  SVC9241: { after: approvals('denial_holds', 'PT1M'), unread: true },
  SVC9242: { after: approvals('denial_holds', 'PT1H'), unread: true },
  SVC9243: { after: limit('max_delegation_depth', 5) },
  SVC9244: { after: limit('max_delegation_depth', 1) },
  SVC9245: { after: limit('max_ttl_hours', 48) },
  SVC9246: { after: limit('max_ttl_hours', 12) },
  SVC9247: { after: limit('default_ttl_hours', 1) },
  SVC9248: { before: (m) => set(m['limits']!, 'delegate_to_humans', false), after: (m) => set(m['limits']!, 'delegate_to_humans', true), unread: true },
  SVC9249: { after: (m) => set(m['limits']!, 'delegate_to_humans', false), unread: true },
  SVC9258: { after: limit('default_ttl_hours', 12) },
  SVC9259: { after: (m) => set(day(m)['composition']!, 'authority_boundary', 'any_service'), unread: true },
  SVC9260: [
    { before: (m) => set(order(m)['control_requirements']![0]!, 'enforcement', 'reject'), after: BASE },
    { after: (m) => set(order(m)['control_requirements']![0]!, 'enforcement', 'reject'), effect: 'compatible' },
  ],
  SVC9268: { after: (m) => set(input(m, 2), 'x-sensitive', true) },
  SVC9269: { before: (m) => set(input(m, 2), 'x-sensitive', true), after: (m) => set(input(m, 2), 'x-sensitive', false) },
  SVC9270: { before: (m) => set(order(m)['approval']!, 'preview', 'must_hold'), after: BASE },
  SVC9267: { after: (m) => set(order(m)['approval']!, 'preview', 'must_hold') },
  SVC9265: [
    { after: (m) => set(order(m), 'session', { type: 'workflow' }) },
    { after: (m) => set(order(m), 'composes_with', [{ capability: 'quote' }]) },
    { after: (m) => set(order(m)['observability']!, 'audit_accessible_by', ['delegation.root_principal']) },
    {
      before: (m) => set(order(m), 'cross_service_contract', { handoff: [STEP] }),
      after: (m) =>
        set(order(m), 'cross_service_contract', { handoff: [{ ...STEP, required_for_task_completion: true }] }),
    },
  ],
  SVC9264: [
    { after: (m) => set(m['metadata_disclosure']!, 'manifest', 'bearer') },
    { before: (m) => set(m['metadata_disclosure']!, 'manifest', 'bearer'), after: BASE },
  ],
  SVC9250: [
    { after: (m) => set(quote(m), 'novelty', true), unread: true },
    { before: (m) => set(quote(m), 'novelty', true), after: (m) => unset(quote(m), 'novelty'), unread: true },
    { before: (m) => set(quote(m), 'novelty', true), after: (m) => set(quote(m), 'novelty', false), unread: true },
  ],
} // prettier-ignore

const VERSIONS = ['SVC9161', 'SVC9162', 'SVC9163', 'SVC9164', 'SVC9165']

/** What is found between two manifests; the versions count where the pair is about them. */
function found({ before = () => undefined, after, unread }: Pair, code: string) {
  const [was, is] = [base(), base()]
  before(was)
  before(is)
  after(is)
  const now = after === BASE ? base() : is
  const manifest = (loose: Loose): Manifest =>
    unread ? (normalised(loose) as unknown as Manifest) : manifestOf(JSON.stringify(loose))
  const changes = compareManifests(
    { manifest: manifest(was), isServed: false },
    { manifest: manifest(now), isServed: false },
  )
  return changes.filter((change) => VERSIONS.includes(code) || !VERSIONS.includes(change.code))
}

/** As far as the comparison needs it, of a manifest that the reader does not take. */
function normalised(loose: Loose): Loose {
  const plain = manifestOf(JSON.stringify(base())) as unknown as Loose
  const capabilities = Object.entries(loose['capabilities']!).map(([name, each]) => {
    const { 'x-failures': failures, ...rest } = each as unknown as { [name: string]: unknown }
    const known = plain['capabilities']![name] as unknown as { [name: string]: unknown }
    const inputs = (rest['inputs'] as { required?: boolean }[]).map((item) => ({
      ...item,
      required: item.required ?? true,
    }))
    return [
      name,
      { ...known, ...rest, inputs, ...(failures === undefined ? {} : { extensions: { 'x-failures': failures } }) },
    ]
  })
  return { ...loose, capabilities: Object.fromEntries(capabilities) } as unknown as Loose
}

describe('the kinds of changes', () => {
  it('have a pair of manifests each', () => {
    const ofServers: readonly string[] = Object.values(PINNED)
    expect([...CHANGE_KINDS.keys()].filter((code) => !Object.hasOwn(PAIRS, code) && !ofServers.includes(code))).toEqual(
      ['SVC9180'],
    )
  })

  for (const [code, pairs] of Object.entries(PAIRS))
    for (const [index, pair] of [pairs].flat().entries())
      it(`${code} ${CHANGE_KINDS.get(code)!.slug} (${index + 1})`, () => {
        const changes = found(pair as Pair, code)
        expect(changes.map((change) => change.code).toSorted()).toEqual((pair as Pair).codes ?? [code])
        const kind = CHANGE_KINDS.get(code)!
        const change = changes.find((each) => each.code === code)!
        expect([change.effect, change.bump]).toEqual([
          (pair as Pair).effect ?? kind.effect,
          (pair as Pair).bump ?? kind.bump,
        ])
        expect(change.message).toMatch(/^\S.*\.$/su)
      })

  it('SVC9180 endpoint-path-changed', () => {
    expect(endpointsOtherwise({ tokens: '/svc/tokens' }, { tokens: '/tokens' }).map(({ code }) => code)).toEqual([
      'SVC9180',
    ])
  })

  it('finds no change where there is none', () => {
    const manifest = manifestOf(JSON.stringify(base()))
    expect(compareManifests({ manifest, isServed: false }, { manifest, isServed: false })).toEqual([])
  })

  it.each([
    ['capabilities.order.approval.grant_policy.max_uses', 1],
    ['capabilities.order.approval.approvers', 1],
    ['limits.max_ttl_hours', 24],
    ['limits.max_delegation_depth', 3],
    ['approvals.denial_holds', 'PT10M'],
    ['capabilities.quote.inputs.0.required', true],
    ['capabilities.quote.inputs.2.entity_reference', false],
    ['capabilities.quote.output.fields.1.nullable', false],
    ['capabilities.day.composition.audit_policy.record_child_invocations', true],
    ['capabilities.day.composition.audit_policy.parent_task_lineage', true],
  ])('takes %s that is absent for %s', (path, value) => {
    const names = path.split('.')
    const [absent, said] = [undefined, value].map((each) => {
      const manifest = structuredClone(manifestOf(JSON.stringify(base()))) as unknown as Loose
      const holder = names.slice(0, -1).reduce((node, name) => node[name]!, manifest)
      if (each === undefined) unset(holder, names.at(-1)!)
      else set(holder, names.at(-1)!, each)
      return { manifest: manifest as unknown as Manifest, isServed: false }
    })
    expect(compareManifests(absent!, said!)).toEqual([])
    expect(compareManifests(said!, absent!)).toEqual([])
  })

  it.each([
    ['breaking', false, undefined, ['breaking'], true],
    ['breaking', false, undefined, ['weakened'], false],
    ['breaking', true, undefined, ['weakened'], true],
    ['breaking', true, 'Agreed.', ['breaking', 'weakened'], false],
    ['compatible', false, undefined, ['compatible'], false],
    ['compatible', true, undefined, ['weakened'], true],
    ['unbumped', false, undefined, ['unbumped'], true],
  ] as const)('a change that is %s (weakens: %s, accepted: %s) fails on %j: %s', (effect, weakens, accepted, failOn, fails) => {
    expect(failsOn({ effect, weakens, accepted } as never, failOn as never)).toBe(fails)
  }) // prettier-ignore

  it('takes a new input that says nothing of it for a required one', () => {
    const [was, is] = [undefined, { name: 'day', type: 'date' }].map((each) => {
      const manifest = structuredClone(manifestOf(JSON.stringify(base()))) as unknown as Loose
      if (each !== undefined) push(quote(manifest)['inputs']!, each)
      return { manifest: manifest as unknown as Manifest, isServed: false }
    })
    expect(compareManifests(was!, is!).map(({ code }) => code)).toEqual(['SVC9011', 'SVC9161'])
  })

  it('lets no value of a manifest change without a word', () => {
    const manifest = manifestOf(JSON.stringify(base()))
    const silent: string[] = []
    for (const path of leavesOf(manifest)) {
      const changed = structuredClone(manifest) as unknown as Loose
      mutate(changed, path)
      const changes = compareManifests(
        { manifest, isServed: false },
        { manifest: changed as unknown as Manifest, isServed: false },
      )
      if (changes.length === 0) silent.push(path.join('.'))
    }
    expect(silent).toEqual([])
  })
})

const leavesOf = (value: unknown, at: readonly string[] = []): readonly (readonly string[])[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([name, each]) => leavesOf(each, [...at, name]))
    : [at]

function mutate(target: Loose, path: readonly string[]): void {
  const holder = path.slice(0, -1).reduce((node, name) => node[name]!, target)
  const name = path.at(-1)!
  const value: unknown = holder[name]
  set(holder, name, typeof value === 'number' ? value + 1 : typeof value === 'boolean' ? !value : `${String(value)}x`)
}
