/** Rules that know words and bounds of what a capability declares: each of them, and what is next to it. */
import { describe, expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { finds, input, manifest, said } from './written.js'

const typed = (name: string, type: string): string => `[{ name: ${name}, type: ${type}, description: The thing. }]`

describe('names and types of inputs', () => {
  it.each([
    ['date', 'date'],
    ['due_date', 'date'],
    ['email', 'email'],
    ['my_email_address', 'email'],
    ['url', 'uri'],
    ['home_uri', 'uri'],
    ['order_uuid', 'uuid'],
    ['timestamp', 'datetime'],
    ['start_datetime', 'datetime'],
    ['is_open', 'boolean'],
    ['has_pets', 'boolean'],
  ])('%s is most likely of the type %s', (name, type) => {
    expect(said('SVC2316', { inputs: typed(name, 'string') })).toEqual([
      `\`${name}\` has the type string. Did you mean \`${type}\`?`,
    ])
    expect(finds('SVC2316', { inputs: typed(name, type) })).toBe(false)
  })

  it.each(['update', 'date_of', 'emails', 'curl', 'uuids', 'this_is_it', 'hash', 'island'])('%s may be a text', (name) => {
    expect(finds('SVC2316', { inputs: typed(name, 'string') })).toBe(false)
  })

  it.each([
    ['int', 'integer'], ['int32', 'integer'], ['int64', 'integer'], ['long', 'integer'],
    ['float', 'number'], ['double', 'number'], ['decimal', 'number'], ['numeric', 'number'],
    ['bool', 'boolean'], ['str', 'string'], ['list', 'array'], ['map', 'object'], ['url', 'uri'],
    ['timestamp', 'datetime'], ['date-time', 'datetime'], ['guid', 'uuid'], ['INT', 'integer'],
    ['sting', 'string'], ['interger', 'integer'], ['booleans', 'boolean'],
  ])('the type %s means %s', (word, type) => {
    expect(said('SVC2301', { inputs: typed('it', word) })).toEqual([
      `The type \`${word}\` is treated as a string. Did you mean \`${type}\`?`,
    ])
    expect(finds('SVC2301', { output: `{ type: account, fields: [{ name: it, type: ${word}, description: The thing. }] }` })).toBe(true)
  }) // prettier-ignore

  it.each(['string', 'integer', 'any', 'account', 'airline', 'xyz'])('the type %s means itself', (word) => {
    expect(finds('SVC2301', { inputs: typed('it', word) })).toBe(false)
  })

  it.each([
    ['money', '`number`, or `object` of currency and amount'],
    ['price', '`number`, or `object` of currency and amount'],
    ['amount', '`number`, or `object` of currency and amount'],
    ['struct', '`object`'],
    ['dict', '`object`'],
    ['dictionary', '`object`'],
    ['json', '`object`'],
    ['jsonb', '`object`'],
    ['tuple', '`array`'],
    ['percent', '`number`'],
    ['percentage', '`number`'],
    ['enum', '`string` with `enum`'],
    ['Money', '`number`, or `object` of currency and amount'],
  ])('a value of the type %s is any text', (word, instead) => {
    expect(said('SVC2319', { inputs: typed('it', word) })).toEqual([
      `A value of the type \`${word}\` is any text. For more, write ${instead}, and what is inside as \`x-schema\`; for a text, \`string\`.`,
    ])
  })

  it.each(['approval_grant', 'task_id', 'client_reference_id', 'parent_invocation_id', 'upstream_service', 'idempotency_key'])(
    'no input is called %s',
    (name) => {
      expect(said('SVC2318', { inputs: typed(name, 'string') })).toEqual([
        `\`${name}\` is a reserved parameter of every invocation; choose another name.`,
      ])
      expect(finds('SVC2318', { inputs: typed(`my_${name}`, 'string') })).toBe(false)
    },
  ) // prettier-ignore

  it.each([
    [20, []],
    [21, ['21 inputs; agents fill long forms badly. Split the capability.']],
  ])('%i inputs', (count, found) => {
    const inputs = Array.from({ length: count }, (_, index) => typed(`it_${index}`, 'string').slice(1, -1))
    expect(said('SVC2317', { inputs: `[${inputs.join(', ')}]` })).toEqual(found)
  })

  it.each([
    [100, []],
    [101, ['101 allowed values; name a catalog instead.']],
  ])('%i allowed values', (count, found) => {
    const values = Array.from({ length: count }, (_, index) => `v${index}`)
    expect(said('SVC2315', { inputs: input(`allowed_values: [${values.join(', ')}]`) })).toEqual(found)
  })
})

describe('how inputs are resolved', () => {
  it.each([
    ['backend_resolved', true],
    ['actor_policy', true],
    ['actor_policy_or_explicit', true],
    ['app_selected', true],
    ['clarify', true],
    ['closed_values', false],
    ['explicit_only', false],
  ])('the mode %s resolves: %s', (mode, isResolving) => {
    expect(said('SVC2417', { inputs: input(`resolution: { mode: ${mode}, resolver_ref: accounts }`) })).toEqual(
      isResolving ? [] : [`\`resolver_ref\` has no effect with the mode \`${mode}\`; remove it.`],
    )
  })

  it.each([
    ['closed_values', true],
    ['app_selected', true],
    ['clarify', false],
    ['backend_resolved', false],
    ['explicit_only', false],
  ])('the mode %s looks at the allowed values: %s', (mode, isLooking) => {
    expect(finds('SVC2314', { inputs: input(`allowed_values: [a, b], resolution: { mode: ${mode} }`) })).toBe(!isLooking)
  })

  it.each([
    ['use_actor_scope', true],
    ['app_select_or_clarify', true],
    ['clarify', false],
    ['deny', false],
    ['use_default', false],
  ])('on_missing: %s infers: %s', (behaviour, isInferring) => {
    const resolution = (mode: string) => input(`resolution: { mode: ${mode}, on_missing: ${behaviour} }`)
    expect(said('SVC2409', { inputs: resolution('explicit_only') })).toEqual(
      isInferring ? [`\`explicit_only\` forbids inference, but \`on_missing: ${behaviour}\` infers.`] : [],
    )
    expect(finds('SVC2409', { inputs: resolution('clarify') })).toBe(false)
  })
})

describe('scopes, effects and times', () => {
  const scoped = (code: string, scopes: string, effect: string) =>
    check([{ file: 'svc.yaml', text: manifest({ effect }).replace('[crm.use]', `[${scopes}]`) }], { preset: 'strict' })
      .diagnostics.filter((each) => each.code === code)
      .map(({ message }) => message)

  it.each(['admin', 'all', 'full', 'manage', 'owner'])('a scope that ends in %s is wider than the others', (word) => {
    expect(scoped('SVC2210', `crm.${word}, crm.use`, 'read')).toEqual([
      `It asks for \`crm.${word}\` and \`crm.use\`; is the wider one needed?`,
    ])
    expect(scoped('SVC2210', `crm:${word}, crm:use`, 'read')).toHaveLength(1)
    expect(scoped('SVC2210', `crm.${word}, shop.use`, 'read')).toEqual([])
    expect(scoped('SVC2210', `crm.${word}`, 'read')).toEqual([])
  })

  it.each(['read', 'readonly', 'view', 'list', 'get'])('a scope that ends in %s is for reading', (word) => {
    expect(scoped('SVC2207', `crm.${word}`, 'write')).toEqual([
      `\`write\` asks only for crm.${word}; ask for a scope of its own.`,
    ])
    for (const mark of [':', '_', '-']) expect(scoped('SVC2207', `crm${mark}${word}`, 'write')).toHaveLength(1)
    expect(scoped('SVC2207', `crm.${word}, crm.write`, 'write')).toEqual([])
    expect(scoped('SVC2207', `crm.${word}`, 'read')).toEqual([])
    expect(scoped('SVC2207', `crm.x${word}`, 'write')).toEqual([])
  })

  it.each([
    'mutation', 'write', 'update', 'delete', 'deletion', 'create', 'creation', 'transfer', 'payment', 'change',
  ])('%s is no effect of a read', (word) => {
    const more = `    business_effects: { produces: [account_${word}, report], does_not_produce: [] }\n`
    expect(said('SVC2615', { more })).toEqual([`The side effect is \`read\`, yet it produces \`account_${word}\`.`])
    expect(said('SVC2615', { more, effect: 'write' })).toEqual([])
    expect(said('SVC2615', { more: more.replace('account_', 'account') })).toEqual([])
  }) // prettier-ignore

  it.each([
    ['P1M', 'Did you mean `PT1M`, in minutes?'],
    ['P15M', 'Did you mean `PT15M`, in minutes?'],
    ['P1Y', 'Use days, hours or minutes.'],
    ['P1Y2M', 'Use days, hours or minutes.'],
    ['P2M3D', 'Use days, hours or minutes.'],
    ['PT15M', undefined],
    ['P3D', undefined],
    ['P1DT5M', undefined],
  ])('the age %s of a binding counts in the calendar: %s', (age, rest) => {
    const more = `    requires_binding: [{ type: quote, field: it, max_age: ${age} }]\n`
    expect(said('SVC2618', { inputs: input('required: true'), more })).toEqual(
      rest === undefined ? [] : [`\`${age}\` counts in months or years. ${rest}`],
    )
  })

  it.each([
    ['P1M', true],
    ['P1Y', true],
    ['P30D', false],
    ['PT1M', false],
  ])('the rollback window %s varies: %s', (window, isVarying) => {
    expect(said('SVC2110', { effect: `transactional, rollback_window: ${window}` })).toEqual(
      isVarying ? [`\`${window}\` varies with the calendar; use days.`] : [],
    )
  })

  it.each([
    ['same_package', 'SVC4002'],
    ['same_tenant', 'SVC4002'],
    ['same_organization', 'SVC4002'],
    ['cross_service', 'SVC4002'],
    ['federated', 'SVC4002'],
    ['external', 'SVC4002'],
    ['own_service', 'SVC4003'],
    ['same_service', undefined],
  ])('the authority boundary %s: %s', (boundary, code) => {
    const more = `    kind: composed\n    composition: { authority_boundary: ${boundary}, steps: [] }\n`
    expect(['SVC4002', 'SVC4003'].filter((each) => finds(each, { more }))).toEqual(code === undefined ? [] : [code])
  })

  const approval = (more: string, seconds = 900): string =>
    `    approval: { required: always, ${more}grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: ${seconds}, max_uses: 1 } }\n`

  it.each([
    [5, []],
    [6, ['`approvers` is at most 5, but is 6.']],
  ])('%i approvers', (count, found) => {
    expect(said('SVC7020', { effect: 'write', more: approval(`approvers: ${count}, `) })).toEqual(found)
  })

  it.each([
    ['irreversible', 86_400, []],
    ['irreversible', 86_401, ['A grant for an irreversible action lives for 86401 seconds; write 86400, a day, or less.']],
    ['write', 86_401, []],
  ])('a grant of an action that is %s for %i seconds', (effect, seconds, found) => {
    expect(said('SVC7007', { effect, more: approval('', seconds) })).toEqual(found)
  }) // prettier-ignore

  it.each([
    [1, 100, []],
    [1, 101, ['`range_max` is 101 times `range_min`; an estimate this wide does not help.']],
    [0, 101, []],
  ])('a cost of %i to %i', (least, most, found) => {
    const more = `    cost: { certainty: estimated, financial: { currency: EUR, range_min: ${least}, range_max: ${most} } }\n`
    expect(said('SVC2524', { effect: 'write', more })).toEqual(found)
  })
})

describe('what a manifest is as a whole', () => {
  it.each([
    [5, []],
    [6, ['The chain of prerequisites is 6 deep; agents lose their way.']],
    [7, ['The chain of prerequisites is 6 deep; agents lose their way.']],
  ])('a chain of %i prerequisites', (length, found) => {
    const [head, capability] = manifest({}).split('  crm.lookup:\n')
    const blocks = Array.from({ length: length + 1 }, (_, index) => {
      const requires = `    requires: [{ capability: crm.step_${index + 1}, reason: It comes first. }]\n`
      return `  crm.step_${index}:\n${capability}${index === length ? '' : requires}`
    })
    const { diagnostics } = check([{ file: 'svc.yaml', text: `${head}${blocks.join('')}` }], { preset: 'strict' })
    expect(diagnostics.filter(({ code }) => code === 'SVC3018').map(({ message }) => message)).toEqual(found)
  })

  it.each([
    ['2026-06-01T00:00:00Z', ['The manifest expired 0 days ago; publish it anew.']],
    ['2026-06-02T00:00:00Z', ['The manifest expired 1 day ago; publish it anew.']],
    ['2026-06-03T23:59:59Z', ['The manifest expired 2 days ago; publish it anew.']],
    ['2026-05-31T23:59:59Z', []],
  ])('a manifest that expires on the first of June, on %s', (now, found) => {
    const text = manifest({}).replace('version: "0.24.0"', 'version: "0.24.0", expires_at: "2026-06-01T00:00:00Z"')
    const { diagnostics } = check([{ file: 'svc.yaml', text }], { now: Date.parse(now) })
    expect(diagnostics.filter(({ code }) => code === 'SVC1014').map(({ message }) => message)).toEqual(found)
  })
})
