import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { newMemo, rememberNothing, type Remember } from '../../../src/compiler/plan/memo.js'
import type { CapabilityPlan, ModulePlan, Plan } from '../../../src/compiler/plan/plan.js'
import { planService } from '../../../src/compiler/plan/plan-service.js'
import { checks } from '../../../src/compiler/targets/checks.js'
import { client } from '../../../src/compiler/targets/client.js'
import { drafts, draftsFor, exportLineOf, HANDLER_LIST, handlerPathOf } from '../../../src/compiler/targets/drafts.js'
import { handlers } from '../../../src/compiler/targets/handlers.js'
import { TARGETS } from '../../../src/compiler/targets/index.js'
import { manifest } from '../../../src/compiler/targets/manifest.js'
import { service } from '../../../src/compiler/targets/service.js'
import type { Target } from '../../../src/compiler/targets/target.js'
import { types } from '../../../src/compiler/targets/types.js'
import { validators } from '../../../src/compiler/targets/validators.js'
import type { Capability, Composition, GrantPolicy, Manifest } from '../../../src/protocol/manifest.js'
import { capability, input, manifestOf } from '../../runtime/fixture/manifest.js'

const CODE: readonly Target[] = [client, handlers, manifest, service, types, validators]
const grant_policy: GrantPolicy = {
  allowed_grant_types: ['one_time'],
  default_grant_type: 'one_time',
  expires_in_seconds: 60,
  max_uses: 1,
}
/** A name that leaves no room on its line. */
const LONG = 'a_capability_with_a_rather_long_name'
const failing = (...names: readonly string[]) => ({
  extensions: {
    'x-failures': Object.fromEntries(names.map((name, index) => [name, index === 0 ? 'Says why.' : null])),
  },
})
const fields = (...names: readonly string[]) => ({ type: 'object', fields: names.map((name) => ({ name, type: 'string' })) }) // prettier-ignore

/** Capabilities that need something each. */
const NEEDS: { readonly [name: string]: Capability } = {
  plain: capability(),
  reads: capability({ inputs: [input('city'), input('day', { type: 'date', required: false, default: '2026-01-01' })], output: fields('weather') }),
  json: capability({ inputs: [input('any', { type: 'object' }), input('list', { type: 'array' })], output: { type: 'object', fields: [{ name: 'data', type: 'any', description: 'What there is.' }] } }),
  streams: capability({ response_modes: ['unary', 'streaming'], side_effect: { type: 'write' } }),
  approved: capability({ inputs: [input('amount', { type: 'number' })], approval: { required: 'always', grant_policy }, ...failing('sold_out') }),
  asks: capability({ approval: { required: 'handler', grant_policy }, response_modes: ['streaming'] }),
  fails: capability(failing('gone', 'late')),
  quoted: capability({ inputs: [input('quote_id'), input('seat', { required: false })], requires_binding: [{ type: 'quote', field: 'quote_id', source_capability: 'plain' }, { type: 'seat', field: 'seat' }] }),
  paid: capability({ cost: { certainty: 'estimated', financial: { currency: 'EUR' } } }),
  chosen: capability({ inputs: [input('size', { allowed_values: ['s', 'm'] }), input('count', { type: 'integer', allowed_values: Array.from({ length: 40 }, (_, index) => index) })] }),
  resolved: capability({ inputs: [input('place', { resolution: { mode: 'backend_resolved', resolver_ref: 'places.resolver', on_missing: 'clarify' } }), input('team', { resolution: { mode: 'actor_policy', on_missing: 'deny' } })] }),
} // prettier-ignore
const COMPOSED = capability({
  kind: 'composed',
  output: fields('weather'),
  composition: { steps: [{ id: 'a', capability: 'fails' }] } as unknown as Composition,
})
const LONGS = Object.fromEntries(
  Object.entries(NEEDS).map(([name, each]) => [`${LONG}.${name}`, { ...each, output: fields(`${LONG}_one`, `${LONG}_two`) }]),
) // prettier-ignore
const QUOTING = {
  [`${LONG}.bound`]: capability({
    inputs: [input('quote_id')],
    requires_binding: [{ type: `${LONG}_and_a_quote_that_nobody_else_gives_for_anything`, field: 'quote_id', source_capability: `${LONG}.plain` }],
  }),
  [`${LONG}.bound_once`]: capability({
    inputs: [input('quote_id')],
    requires_binding: [{ type: `${LONG}_and_another_quote_that_nobody_else_gives_for_anything_at_all`, field: 'quote_id', source_capability: `${LONG}.quoted` }],
  }),
  [`${LONG}.bound_twice`]: capability({
    inputs: [input('a'), input('b')],
    requires_binding: ['a', 'b'].map((field) => ({ type: `${LONG}_and_quite_a_long_binding_${field}`, field, source_capability: `${LONG}.reads` })),
  }),
} // prettier-ignore

const planOf = (capabilities: { readonly [name: string]: Capability }, remember: Remember = rememberNothing): Plan => ({
  ...planService(manifestOf(capabilities), 'svc', remember),
  headerFor: (parts) => [`Made of ${parts?.map(({ name }) => name).join(', ') ?? 'everything'}.`],
})

const moduleOf = (name: string, capabilities: readonly CapabilityPlan[]): ModulePlan => ({
  name,
  typeName: name === 'one' ? 'One' : 'Two',
  identifier: name,
  capabilities,
})

/** The plan, divided as that of a large service would be: what holds, and the rest. */
function divided(plan: Plan, isFirst: (capability: CapabilityPlan) => boolean): Plan {
  const rest = plan.capabilities.filter((each) => !isFirst(each))
  return { ...plan, modules: [moduleOf('one', plan.capabilities.filter(isFirst)), moduleOf('two', rest)] }
}

const textOf = (plan: Plan, targets: readonly Target[] = CODE): string =>
  targets
    .flatMap((target) => target(plan))
    .map(({ path, ownership, text }) => `=== ${path} (${ownership})\n${text}`)
    .join('')

describe('a service', () => {
  const both = { ...NEEDS, composed: COMPOSED }
  it.each<[string, Plan]>([
    ['of nothing', planOf({})],
    ['of a composition alone', planOf({ composed: COMPOSED })],
    ['of all kinds', planOf(both)],
    ['of long names', planOf({ ...LONGS, ...QUOTING })],
    ['that is divided', divided(planOf(both), ({ context }) => context.streams)],
    ['that is divided, with streams and previews in both', divided(planOf(both), ({ name }) => name < 'c')],
    ['that is divided and needs nothing', divided(planOf({ plain: NEEDS['plain']!, reads: NEEDS['reads']! }), ({ name }) => name === 'plain')],
    ['that is divided and composes', divided(planOf({ plain: NEEDS['plain']!, composed: COMPOSED }), ({ name }) => name === 'plain')],
    ['of long names that is divided', divided(planOf({ ...LONGS, ...QUOTING }), ({ name }) => name.includes('name.a'))],
  ])('%s', async (title, plan) => {
    await expect(textOf(plan)).toMatchFileSnapshot(join('shapes', `${title.replaceAll(/,? /gu, '-')}.txt`))
  })

  it.each(Object.keys(NEEDS))('of one that is %s', async (name) => {
    await expect(textOf(planOf({ [name]: NEEDS[name]! }))).toMatchFileSnapshot(join('shapes', `one-${name}.txt`))
  })
}) // prettier-ignore

it('a service of what is seldom together', async () => {
  const steps = (...names: readonly string[]) => ({ kind: 'composed', composition: { steps: names.map((name) => ({ id: name, capability: name })) } as unknown as Composition } as const)
  const priced = { certainty: 'estimated', financial: { currency: 'EUR', range_min: 1, range_max: 2 }, determined_by: 'quote' } as const
  const plan = planOf({
    approved_by_step: capability(steps('approved', 'fails')),
    costly_by_step: capability(steps('paid')),
    failing_twice: capability({ ...steps('sold', 'sold_out'), description: 'Sells once,\nor twice.' }),
    approved: NEEDS['approved']!,
    fails: capability(failing('one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine')),
    paid: capability({ cost: { certainty: 'fixed', financial: { currency: 'EUR', amount: 1 } } }),
    sold: capability({ extensions: { 'x-failures': { gone: { status: 410, description: 'For ever.' } } } }),
    sold_out: capability({ extensions: { 'x-failures': { gone: { status: 409, description: 'For now.' } } } }),
    quotes_two: capability(),
    pays_by_quote: capability({ inputs: [input('quote', { required: false, default: 'q' })], cost: priced, requires_binding: [{ type: 'price', field: 'quote', source_capability: 'quotes_two' }] }),
    sits_by_quote: capability({ inputs: [input('quote')], requires_binding: [{ type: 'seat', field: 'quote', source_capability: 'quotes_two' }] }),
    resolved: capability({ inputs: [input('size', { allowed_values: ['s', 'm'], resolution: { mode: 'backend_resolved', resolver_ref: 'sizes', on_missing: 'clarify' } })] }),
    listed: capability({ inputs: [input('pair', { type: 'array', allowed_values: [['a', 'b']], 'x-schema': { type: 'array', items: { type: 'string' } } })] }),
  })
  await expect(textOf(plan, TARGETS.filter((target) => [client, handlers, types, validators].includes(target)))).toMatchFileSnapshot('shapes/seldom-together.txt')
}) // prettier-ignore

it('a client pins each key of the lock, whatever it calls', () => {
  for (const capabilities of [{}, { plain: NEEDS['plain']! }]) {
    const [file] = client({ ...planService(manifestOf(capabilities), 'svc', rememberNothing, { manifestKeys: ['k1', 'k2'] }), headerFor: () => [] })
    expect(file!.text).toContain("const MANIFEST_KEYS = [\n  'k1',\n  'k2',\n]")
    expect(file!.text).toMatch(/return connect<Client>\(options, \{[^]*\}, MANIFEST_KEYS\)/u)
  }
}) // prettier-ignore

it('checks are made anew where only a shared schema is another', () => {
  const remember = newMemo()
  const ask = capability({ inputs: [input('it', { type: 'object', 'x-schema': { $ref: '#/x-schemas/Own' } })] })
  const made = (most: number) =>
    checks(planService({ ...manifestOf({ ask }), extensions: { 'x-schemas': { Own: { type: 'object', maxProperties: most } } } } as never, 'svc', remember))[0]!.text
  const first = made(3)
  expect(made(3)).toBe(first)
  expect(made(4)).not.toBe(first)
}) // prettier-ignore

it('what is written is left as it is by a formatter', () => {
  const folder = mkdtempSync(join(tmpdir(), 'svc-shapes-'))
  const options = join(folder, 'options.json')
  writeFileSync(options, '{ "semi": false, "singleQuote": true, "printWidth": 120 }')
  const numbers = capability({ inputs: [input('a_rather_long_name_of_an_input_of_a_call', { type: 'number', allowed_values: [120.00000000001, 130.00000000001, 140.00000000001] })] })
  const fewer = capability({ approval: { required: 'handler', grant_policy }, requires_principal: ['human'], inputs: NEEDS['resolved']!.inputs })
  const plans = [{ ...LONGS, ...QUOTING }, { ...NEEDS, composed: COMPOSED }, { [LONG]: numbers, delete_environment: fewer }].map((each) => planOf(each))
  for (const [index, plan] of plans.entries())
    for (const { path, text } of [...CODE, drafts].flatMap((target) => target(plan))) {
      const file = join(folder, String(index), path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, text)
    }
  const oxfmt = [resolve('node_modules/oxfmt/bin/oxfmt'), '-c', options, '--list-different', ...plans.map((_, index) => join(folder, String(index)))]
  expect(spawnSync(process.execPath, oxfmt, { encoding: 'utf8' })).toMatchObject({ status: 0, stdout: '' })
  rmSync(folder, { recursive: true })
}) // prettier-ignore

describe('drafts', () => {
  it('are a file for each handler and the list of them, for the author to own', () => {
    const plan = planOf({
      'pay.charge': capability({ description: 'Charges.' }),
      'pay.refund': capability({ description: 'Pays back.' }),
      composed: COMPOSED,
    })
    expect(textOf(plan, [drafts])).toBe(`=== src/handlers/pay.charge.ts (owned)
import type { PayChargeHandler } from '../../generated/handlers.js'
import type { PayChargeOutput } from '../../generated/types.js'

/** Charges. */
export const payCharge: PayChargeHandler = async (): Promise<PayChargeOutput> => {
  throw new Error('pay.charge is not implemented. If it is, rebuild: npm run build')
}
=== src/handlers/pay.refund.ts (owned)
import type { PayRefundHandler } from '../../generated/handlers.js'
import type { PayRefundOutput } from '../../generated/types.js'

/** Pays back. */
export const payRefund: PayRefundHandler = async (): Promise<PayRefundOutput> => {
  throw new Error('pay.refund is not implemented. If it is, rebuild: npm run build')
}
=== src/handlers/index.ts (owned)
export { payCharge } from './pay.charge.js'
export { payRefund } from './pay.refund.js'
`)
    expect(textOf(plan, [draftsFor('made')])).toContain("from '../../made/handlers.js'")
    expect(handlerPathOf({ name: 'a' })).toBe('src/handlers/a.ts')
    expect(exportLineOf({ name: 'a.b', identifier: 'aB' })).toBe("export { aB } from './a.b.js'")
    expect(handlerPathOf({ name: 'index' })).toBe('src/handlers/index$.ts')
    expect(handlerPathOf({ name: 'self.test' })).toBe('src/handlers/self.test$.ts')
    expect(exportLineOf({ name: 'index', identifier: 'index' })).toBe("export { index } from './index$.js'")
    expect(['aux', 'nul.a', 'com1.test', 'lpt9', 'console', 'a.con'].map((name) => handlerPathOf({ name }))).toEqual([
      'src/handlers/aux$.ts',
      'src/handlers/nul$.a.ts',
      'src/handlers/com1$.test$.ts',
      'src/handlers/lpt9$.ts',
      'src/handlers/console.ts',
      'src/handlers/a.con.ts',
    ])
    expect(exportLineOf({ name: 'con', identifier: 'con' })).toBe("export { con } from './con$.js'")
    expect(HANDLER_LIST).toBe('src/handlers/index.ts')
  })
})

it('a draft with a long name is broken as formatters break it', () => {
  expect(textOf(planOf({ [`${LONG}.plain`]: capability() }), [drafts])).toContain(
    `ACapabilityWithARatherLongNamePlainHandler =
  async (): Promise<ACapabilityWithARatherLongNamePlainOutput> => {
    throw new Error('${LONG}.plain is not implemented. If it is, rebuild: npm run build')
  }
`,
  )
})

describe('what is remembered', () => {
  /** What is made, with the memory that was given before, is what is made without. */
  const same = (remember: Remember, capabilities: Manifest['capabilities'], generated: string, isFirst = (name: string) => name < 'c') => {
    const targets = [...TARGETS.slice(0, 6), draftsFor(generated)]
    const made = (memory: Remember) => textOf(divided(planOf(capabilities, memory), ({ name }) => isFirst(name)), targets)
    expect(made(remember)).toBe(made(rememberNothing))
  }

  it('is used for what it was made of, and for nothing else', () => {
    const remember = newMemo()
    const all = { ...NEEDS, composed: COMPOSED }
    same(remember, all, 'generated')
    same(remember, all, 'generated')
    same(remember, { ...all, fails: capability(failing('other')) }, 'generated')
    same(remember, all, 'made')
    same(remember, { plain: NEEDS['plain']!, streams: NEEDS['streams']!, reads: NEEDS['reads']! }, 'made')
    same(remember, { plain: NEEDS['plain']! }, 'made')
    same(remember, all, 'generated', (name) => name < 'f')
  })

  it('is not made again', () => {
    const plan = planOf(NEEDS)
    const keys: string[] = []
    const memo = newMemo()
    const remember: Remember = (key, parts, make) => memo(key, parts, () => (keys.push(key), make()))
    const remembering = { ...divided(plan, ({ name }) => name < 'c'), remember }
    for (const _ of [1, 2]) textOf(remembering, [...CODE, drafts])
    const each = Object.keys(NEEDS).sort()
    expect(keys).toEqual([
      'client/one', 'client/two', 'handlers/one', 'handlers/two', ...each.map((name) => `manifest ${name}`), 'types/one', 'types/two', 'validators/one', 'validators/two',
      ...each.map((name) => `draft ${name}`),
    ])
  })
}) // prettier-ignore
