/** Costs, approvals and compositions on both sides of what a rule allows. */
import { expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { finds, input, manifest, said } from './written.js'

const financial = (certainty: string, fields: string): string =>
  `    cost: { certainty: ${certainty}, financial: { currency: EUR, ${fields} } }\n`

it.each<[string, string, readonly string[]]>([
  ['fixed', 'amount: 5', []],
  ['fixed', 'upper_bound: 5', ['SVC2502', 'SVC2511']],
  ['fixed', 'amount: 5, range_min: 1', ['SVC2511']],
  ['fixed', 'amount: 5, range_max: 9', ['SVC2511']],
  ['fixed', 'amount: 5, typical: 5', ['SVC2511']],
  ['fixed', 'amount: 5, upper_bound: 5', ['SVC2511']],
  ['fixed', 'amount: 0', ['SVC2523']],
  ['dynamic', 'upper_bound: 5', []],
  ['dynamic', 'range_max: 5', ['SVC2503']],
  ['dynamic', 'upper_bound: 0', ['SVC2523']],
  ['dynamic', 'upper_bound: 5, range_max: 5', []],
  ['dynamic', 'upper_bound: 5, range_max: 5.01', ['SVC2513']],
  ['dynamic', 'upper_bound: 5, range_min: 5', []],
  ['dynamic', 'upper_bound: 5, range_min: 6', ['SVC2513']],
  ['dynamic', 'upper_bound: 5, typical: 6', ['SVC2513']],
  ['dynamic', 'upper_bound: 9, range_min: 2, range_max: 2', []],
  ['dynamic', 'upper_bound: 9, range_min: 3, range_max: 2', ['SVC2509']],
  ['dynamic', 'upper_bound: 9, range_min: 2, range_max: 4, typical: 2', []],
  ['dynamic', 'upper_bound: 9, range_min: 2, range_max: 4, typical: 4', []],
  ['dynamic', 'upper_bound: 9, range_min: 2, range_max: 4, typical: 1', ['SVC2510']],
  ['dynamic', 'upper_bound: 9, range_min: 2, range_max: 4, typical: 5', ['SVC2510']],
])('a cost that is %s, of { %s }: %j', (certainty, fields, codes) => {
  const more = financial(certainty, fields)
  const known = ['SVC2502', 'SVC2503', 'SVC2509', 'SVC2510', 'SVC2511', 'SVC2513', 'SVC2523']
  expect(known.filter((code) => finds(code, { effect: 'write', more }))).toEqual(codes)
})

it.each([
  ['EUR', '0.01', true],
  ['EUR', '0.001', false],
  ['JPY', '1', true],
  ['JPY', '0.1', false],
  ['KWD', '0.001', true],
  ['KWD', '0.0001', false],
])('%s %s is a whole number of the smallest unit: %s', (currency, amount, isWhole) => {
  const more = financial('fixed', `amount: ${amount}`).replace('EUR', currency)
  expect(finds('SVC2514', { effect: 'write', more })).toBe(!isWhole)
})

it.each([
  ['P30D', 'P30D', []],
  ['P29D', 'P30D', ['The retention P29D is shorter than the rollback window P30D.']],
  ['P1D', 'PT24H', []],
])('a retention of %s with a rollback window of %s', (retention, window, found) => {
  const more = `    observability: { logged: true, retention: ${retention} }\n`
  expect(said('SVC2707', { effect: `transactional, rollback_window: ${window}`, more })).toEqual(found)
})

it.each([
  ['irreversible', '[streaming]', true],
  ['irreversible', '[unary, streaming]', true],
  ['irreversible', '[unary]', false],
  ['write', '[streaming]', false],
])('an action that is %s, with the modes %s, needs somebody to look: %s', (effect, modes, isFound) => {
  const more = `    response_modes: ${modes}\n`
  expect(finds('SVC2708', { effect, more })).toBe(isFound)
  expect(finds('SVC2708', { effect, more: `${more}    verify_via: [crm.look]\n` })).toBe(false)
})

it.each([
  ['cost_ceiling', 'read', false],
  ['stronger_delegation_required', 'read', true],
  ['stronger_delegation_required', 'write', false],
])('the control %s of a %s is unusual: %s', (type, effect, isFound) => {
  const more = `    control_requirements: [{ type: ${type}, enforcement: reject }]\n`
  expect(finds('SVC2616', { effect, more })).toBe(isFound)
})

const approval = (policy: string, required = 'always', more = ''): string =>
  `    approval: { required: ${required}, ${more}grant_policy: { ${policy} } }\n`
const ONCE = 'allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 900, max_uses: 1'

it.each([
  ['[one_time]', 'one_time', 1, []],
  ['[one_time]', 'one_time', 2, ['SVC7006']],
  ['[one_time, session_bound]', 'one_time', 2, []],
  ['[session_bound]', 'session_bound', 2, []],
  ['[session_bound]', 'one_time', 1, ['SVC7003']],
  ['[one_time]', 'session_bound', 1, ['SVC7003']],
])('of the grants %s, by default %s, %i uses: %j', (allowed, chosen, uses, codes) => {
  const policy = `allowed_grant_types: ${allowed}, default_grant_type: ${chosen}, expires_in_seconds: 900, max_uses: ${uses}`
  const more = approval(policy)
  expect(['SVC7003', 'SVC7006'].filter((code) => finds(code, { effect: 'write', more }))).toEqual(codes)
})

it.each([
  ['cost_above: 5, approver_scope: crm.boss', []],
  ['cost_above: 5, approver_scope: "approver:crm.lookup"', ['SVC7023 `approver:crm.lookup` also approves cheaper calls. Name a scope that fewer people have.']],
  ['cost_above: 5, approver_scope: crm.use', ['SVC7023 `crm.use` is a scope of callers; name one that approvers alone have.']],
  ['cost_above: 5, approver_scope: crm.boss }, { cost_above: 6, approver_scope: crm.chief', []],
  ['cost_above: 5, approver_scope: crm.boss }, { cost_above: 5, approver_scope: crm.chief', ['SVC7022 Another tier begins above 5; name each amount once.']],
])('tiers of { %s }', (tiers, found) => {
  const more = approval(ONCE, 'always', `tiers: [{ ${tiers} }], `)
  const foundIn = (written: string) => ['SVC7021', 'SVC7022', 'SVC7023'].flatMap((code) => said(code, { effect: 'write', more: written }).map((message) => `${code} ${message}`))
  expect(foundIn(more + financial('fixed', 'amount: 9'))).toEqual(found)
  expect(foundIn(more)).toEqual(['SVC7021 Tiers compare the cost, but no `cost.financial` is declared.', ...found])
}) // prettier-ignore

it.each([
  ['integer', 'above: 5', true],
  ['number', 'at_least: 5', true],
  ['integer', 'above: 0', true],
  ['integer', 'above: -1', false],
  ['integer', 'below: 5', false],
  ['string', 'above: 5', false],
])('of the type %s, a condition of %s lets negative values through: %s', (type, comparison, isFound) => {
  const inputs = `[{ name: it, type: ${type}, description: The thing. }]`
  const more = approval(ONCE, `{ when: [{ input: it, ${comparison} }] }`)
  expect(finds('SVC7017', { effect: 'write', inputs, more })).toBe(isFound)
  const closed = inputs.replace('. }', '., allowed_values: [1, 9] }')
  expect(finds('SVC7017', { effect: 'write', inputs: closed, more })).toBe(false)
})

it.each([
  ['required: true', false],
  ['required: false', true],
  ['required: false, default: a', false],
])('a condition looks at an input with { %s }: a call without it needs the approval: %s', (fields, isFound) => {
  const more = approval(ONCE, '{ when: [{ input: it, equals: a }] }')
  expect(finds('SVC7016', { effect: 'write', inputs: input(fields), more })).toBe(isFound)
})

/** A composition of steps of these effects, in their order, that says itself what effect it has. */
function composed(effects: readonly string[], own: string, more = '', scopes = 'crm.use'): string {
  const [head, capability] = manifest({}).split('  crm.lookup:\n')
  const children = effects.map((effect, index) => `  crm.step_${index}:\n${capability!.replace('read', effect)}`)
  const steps = effects.map((_, index) => `{ id: s${index}, capability: crm.step_${index} }`)
  const parent = capability!.replace('read', own).replace('crm.use', scopes)
  return `${head}${children.join('')}  crm.all:\n${parent}    kind: composed
    composition: { authority_boundary: same_service, steps: [${steps.join(', ')}], input_mapping: {}, output_mapping: { account: $.steps.s0.output.account }${more} }\n`
}
const saidOf = (code: string, text: string): readonly string[] =>
  check([{ file: 'svc.yaml', text }], { preset: 'strict' })
    .diagnostics.filter((each) => each.code === code)
    .map(({ message }) => message)

it.each([
  [['read'], 'read', [], []],
  [['write'], 'read', ['The parent says `read`, but its step `crm.step_0` is `write`; the parent must be at least as strong.'], []],
  [['read', 'irreversible'], 'write', ['The parent says `write`, but its step `crm.step_1` is `irreversible`; the parent must be at least as strong.'], []],
  [['read', 'write'], 'irreversible', [], ['The parent says `irreversible`, but no step is.']],
  [['read', 'write'], 'write', [], []],
  [['write'], 'transactional', [], []],
  [['read'], 'transactional', [], ['The parent says `transactional`, but no step is.']],
])('steps that %j in a composition that says %s', (effects, own, weaker, stronger) => {
  const text = composed(effects, own)
  expect([saidOf('SVC4401', text), saidOf('SVC4402', text)]).toEqual([weaker, stronger])
}) // prettier-ignore

it.each([
  [['irreversible', 'write'], ['The irreversible step `crm.step_0` runs before `crm.step_1`, whose failure could not undo it.']],
  [['irreversible', 'read'], []],
  [['write', 'irreversible'], []],
  [['irreversible', 'read', 'write'], ['The irreversible step `crm.step_0` runs before `crm.step_2`, whose failure could not undo it.']],
])('steps that %j, in this order', (effects, found) => {
  expect(saidOf('SVC4410', composed(effects, 'irreversible'))).toEqual(found)
}) // prettier-ignore

it('a composition asks for every scope of its steps', () => {
  expect(saidOf('SVC4403', composed(['read'], 'read', '', 'crm.use, crm.more'))).toEqual([])
  expect(saidOf('SVC4403', composed(['read', 'read'], 'read', '', 'crm.other'))).toEqual([
    'The step `crm.step_0` needs `crm.use`, which the parent does not ask for.',
    'The step `crm.step_1` needs `crm.use`, which the parent does not ask for.',
  ])
})

it.each([
  [false, ['write'], 1],
  [false, ['read'], 0],
  [true, ['write'], 0],
])('entries of steps are kept: %s, where they %j', (isKept, effects, found) => {
  const more = `, audit_policy: { record_child_invocations: ${isKept}, parent_task_lineage: ${isKept} }`
  const text = composed(effects, effects[0]!, more)
  expect(saidOf('SVC4306', text)).toHaveLength(found)
  expect(saidOf('SVC4307', text)).toHaveLength(isKept ? 0 : 1)
})

it('a policy for failures says what becomes of each outcome', () => {
  const outcomes = ['child_clarification', 'child_denial', 'child_approval_required', 'child_error']
  const policy = (names: readonly string[]) =>
    composed(['read'], 'read', `, failure_policy: { ${names.map((name) => `${name}: fail_parent`).join(', ')} }`)
  expect(saidOf('SVC4301', policy(outcomes))).toEqual([])
  for (const left of outcomes)
    expect(saidOf('SVC4301', policy(outcomes.filter((name) => name !== left)))).toEqual([
      `\`failure_policy\` leaves \`${left}\` to the default; say what happens.`,
    ])
})

it.each([
  ['0.9.0', true],
  ['0.23.9', true],
  ['0.24.0', false],
])('a manifest that targets %s is too old for what 0.24 brought: %s', (version, isTooOld) => {
  const text = manifest({ inputs: input('semantic_type: region') }).replace('0.24.0', version)
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'strict' })
  expect(diagnostics.some(({ code }) => code === 'SVC1303')).toBe(isTooOld)
})
