import { describe, expect, it } from 'vitest'
import type { Capability, Cost, JsonObject } from '../../src/protocol/manifest.js'
import { failure } from '../../src/protocol/failures.js'
import type { Money } from '../../src/protocol/money.js'
import type { GovernedFacts, PresentedBinding, PricedFacts } from '../../src/runtime/call/facts/facts.js'
import { amountInputOf, costOf, costOfCall } from '../../src/runtime/call/facts/cost.js'
import { budgetHoldIdOf, refuseWhatIsUnaffordable, takeBudgetHold } from '../../src/runtime/call/reserve/budget-hold.js'
import type { Invocation } from '../../src/runtime/call/invocation.js'
import type { Reserved } from '../../src/runtime/call/reserve/reserved.js'
import { budgetAfter } from '../../src/runtime/call/settle/budget.js'
import type { CallOutcome } from '../../src/runtime/call/settle/outcome.js'
import { poolOf, takeShare, type Bound, type Pool } from '../../src/runtime/call/reserve/pool.js'
import {
  amountToCheck,
  boundPrice,
  budgetContextOf,
  costToCompare,
  priceOf,
} from '../../src/runtime/call/facts/price.js'
import { Refusal } from '../../src/runtime/errors/refusal.js'
import type { Service } from '../../src/runtime/service.js'
import type { Ceiling, FinishedStep } from '../../src/runtime/storage/contract.js'
import { capability } from './fixture/manifest.js'

const money = (amount: number, currency = 'EUR'): Money => ({ currency, amount })
const bound = (price?: Money): PresentedBinding => ({
  type: 'quote',
  field: 'quote_id',
  known: { binding_id: 'q', type: 'quote', issued_at: 0, ...(price !== undefined && { price }) },
})
const UNKNOWN: PresentedBinding = { type: 'quote', field: 'quote_id' }

/** What was refused, as type and detail; nothing when it was not. */
async function refusalOf(act: () => unknown): Promise<readonly string[]> {
  try {
    await act()
    return []
  } catch (error) {
    return error instanceof Refusal ? [error.failure.type, error.failure.detail] : [String(error)]
  }
}

describe('the price that bindings fix', () => {
  it.each<[string, readonly PresentedBinding[], Money | undefined]>([
    ['none', [], undefined],
    ['none, of a binding without one', [bound(), UNKNOWN], undefined],
    ['that of the only one', [UNKNOWN, bound(money(5))], money(5)],
    ['that of the only one, as it is', [bound(money(0.001))], money(0.001)],
    ['their sum', [bound(money(0.1)), bound(), bound(money(0.2))], money(0.3)],
    ['none in two currencies', [bound(money(1)), bound(money(2, 'USD'))], undefined],
    ['none in two currencies of three prices', [bound(money(1)), bound(money(1)), bound(money(2, 'USD'))], undefined],
    ['none where one is no amount', [bound(money(1)), bound(money(0.001))], undefined],
  ])('is %s', (_, bindings, expected) => {
    expect(boundPrice(bindings)).toEqual(expected)
  })
})

const FIXED: Cost = { certainty: 'fixed', financial: { currency: 'EUR', amount: 3, upper_bound: 9 } }
const DYNAMIC: Cost = { certainty: 'dynamic', financial: { currency: 'EUR', amount: 3, upper_bound: 9 } }
const ESTIMATED: Cost = { certainty: 'estimated', financial: { currency: 'EUR', amount: 3, upper_bound: 9 } }

describe('the amount to check', () => {
  it.each<[string, Cost, Money | undefined, Money | undefined]>([
    ['the amount, where it is fixed', FIXED, money(5), money(3)],
    ['the upper bound, where it is dynamic', DYNAMIC, money(5), money(9)],
    ['the price, where it is an estimate', ESTIMATED, money(5), money(5)],
    ['nothing, for an estimate without a price', ESTIMATED, undefined, undefined],
    ['nothing, where nothing costs money', { certainty: 'fixed' }, undefined, undefined],
    ['nothing, where nothing dynamic costs money', { certainty: 'dynamic' }, undefined, undefined],
    ['nothing, where no amount is named', { certainty: 'fixed', financial: { currency: 'EUR', upper_bound: 1 } }, undefined, undefined],
    ['nothing, where no bound is named', { certainty: 'dynamic', financial: { currency: 'EUR', amount: 1 } }, undefined, undefined],
  ])('is %s', (_, cost, price, expected) => {
    expect(amountToCheck(cost, price)).toEqual(expected)
  }) // prettier-ignore

  it('of a call is by its cost and its bindings', () => {
    expect(priceOf({ bindings: [bound(money(5))] })).toBeUndefined()
    expect(priceOf({ cost: ESTIMATED, bindings: [bound(money(5))] })).toEqual(money(5))
  })
})

describe('the cost that a condition compares', () => {
  it.each<[string, Cost | undefined, readonly PresentedBinding[], Money | undefined]>([
    ['the amount, where it is fixed', FIXED, [bound(money(1))], money(3)],
    ['the price of a quote, where it is an estimate', ESTIMATED, [bound(money(5))], money(5)],
    ['the price of a quote, where it is dynamic', DYNAMIC, [bound(money(5))], money(5)],
    ['the upper bound, where no quote has a price', DYNAMIC, [bound()], money(9)],
    ['unknown, for an estimate without a price', ESTIMATED, [bound()], undefined],
    ['unknown, for prices in two currencies', DYNAMIC, [bound(money(1)), bound(money(1, 'USD'))], undefined],
    ['unknown, for a price in another currency', ESTIMATED, [bound(money(5, 'USD'))], undefined],
    ['unknown, where nothing is declared', undefined, [bound(money(5))], undefined],
    ['unknown, where nothing costs money', { certainty: 'fixed' }, [], undefined],
  ])('is %s', (_, cost, bindings, expected) => {
    expect(costToCompare({ capability: capability(cost && { cost }), cost, bindings })).toEqual(expected)
  })
})

describe('what a caller is told of a budget', () => {
  const told = (cost: Cost | undefined, budget: object | undefined, bindings: readonly PresentedBinding[] = []) =>
    budgetContextOf({ cost, bindings, token: { claims: { constraints: { budget } } } } as unknown as PricedFacts)
  it('is nothing, where there is none or nothing costs money', () => {
    expect(told(FIXED, undefined)).toBeUndefined()
    expect(told(undefined, { currency: 'EUR', max_amount: 1 })).toBeUndefined()
    expect(told({ certainty: 'fixed' }, { currency: 'EUR', max_amount: 1 })).toBeUndefined()
  })

  it('is what it is held against', () => {
    const budget = { currency: 'EUR', max_amount: 7 }
    const common = { budget_max: 7, budget_currency: 'EUR' }
    expect(told(FIXED, budget)).toStrictEqual({ ...common, cost_check_amount: 3, cost_certainty: 'fixed' })
    expect(told(ESTIMATED, budget)).toStrictEqual({ ...common, cost_certainty: 'estimated' })
    expect(told(ESTIMATED, budget, [bound(money(5))])).toStrictEqual({
      ...common,
      cost_check_amount: 5,
      cost_certainty: 'estimated',
    })
  })
})

describe('the cost of a composition', () => {
  const costing = (cost?: Cost) => capability({ ...(cost !== undefined && { cost }) })
  const steps = (...names: readonly string[]) =>
    ({ steps: names.map((name) => ({ id: name, capability: name })) }) as unknown as NonNullable<
      Capability['composition']
    >
  const capabilities = new Map([
    ['free', costing()],
    ['unsaid', costing({ certainty: 'fixed' })],
    ['fixed', costing(FIXED)],
    ['dynamic', costing(DYNAMIC)],
    ['guess', costing(ESTIMATED)],
    ['dollars', costing({ certainty: 'fixed', financial: { currency: 'USD', amount: 1 } })],
    ['yen', costing({ certainty: 'estimated', financial: { currency: 'JPY' } })],
    ['tenth', costing({ certainty: 'fixed', financial: { currency: 'EUR', amount: 0.1 } })],
    ['twentieth', costing({ certainty: 'fixed', financial: { currency: 'EUR', amount: 0.2 } })],
  ])
  const composed = (...names: readonly string[]) => ({ ...costing(), composition: steps(...names) })
  const dynamic = (currency: string, upper_bound?: number): Cost => ({
    certainty: 'dynamic',
    financial: { currency, ...(upper_bound !== undefined && { upper_bound }) },
  })

  it.each<[string, Capability, string | undefined, Cost | undefined]>([
    ['what it declares', { ...composed('dynamic'), cost: FIXED }, 'EUR', FIXED],
    ['nothing, for one that is none', costing(), 'EUR', undefined],
    ['nothing, where its steps cost nothing', composed('free'), 'EUR', undefined],
    ['nothing, where they are estimates', composed('guess'), 'EUR', undefined],
    ['nothing, where nothing is said of money', composed('unsaid'), 'EUR', undefined],
    ['of what is said of money', composed('unsaid', 'fixed'), 'EUR', dynamic('EUR', 3)],
    ['nothing, where a step is not known', composed('gone'), 'EUR', undefined],
    ['what its steps cost', composed('fixed', 'free', 'dynamic', 'guess'), 'EUR', dynamic('EUR', 12)],
    ['their exact sum', composed('tenth', 'twentieth'), 'EUR', dynamic('EUR', 0.3)],
    ['that of the currency of its steps', composed('dollars'), 'EUR', dynamic('USD', 1)],
    ['without a budget, too', composed('dollars', 'dollars'), undefined, dynamic('USD', 2)],
    ['unknown, in the currency that is not the budget\'s', composed('fixed', 'dollars'), 'EUR', dynamic('USD')],
    ['unknown, where an estimate is in another currency', composed('fixed', 'yen'), 'EUR', dynamic('JPY')],
    ['unknown, in the first of many without a budget', composed('fixed', 'yen'), undefined, dynamic('EUR')],
  ])('is %s', (_, asked, budgetCurrency, expected) => {
    expect(costOf(capabilities, asked, budgetCurrency)).toEqual(expected)
  }) // prettier-ignore
})

describe('the input that says what a call costs', () => {
  const financial = { currency: 'EUR', 'x-amount-input': 'amount' }
  const says = (change: object = {}): Cost => ({ certainty: 'dynamic', financial, ...change })
  const QUOTE = [{ type: 'quote', field: 'quote_id' }]
  it.each<[string, Cost | undefined, Capability['requires_binding'], string | undefined]>([
    ['is named', says(), undefined, 'amount'],
    ['is named where no binding is needed', says(), [], 'amount'],
    ['is none where a binding fixes the price', says(), QUOTE, undefined],
    ['is none of a fixed cost', says({ certainty: 'fixed' }), undefined, undefined],
    ['is none where it is no name', says({ financial: { currency: 'EUR', 'x-amount-input': true } }), undefined, undefined],
    ['is none where none is named', DYNAMIC, undefined, undefined],
    ['is none where nothing costs money', { certainty: 'dynamic' }, undefined, undefined],
    ['is none where nothing is declared', undefined, undefined, undefined],
  ])('%s', (_, cost, bindings, expected) => {
    expect(amountInputOf(cost, bindings)).toBe(expected)
  })

  it.each<[string, Cost | undefined, object, object, Cost | undefined]>([
    ['bounds it', says(), {}, { amount: 7.5 }, says({ financial: { ...financial, upper_bound: 7.5 } })],
    ['bounds it by nothing, too', says(), {}, { amount: 0 }, says({ financial: { ...financial, upper_bound: 0 } })],
    ['bounds it whatever is declared', says({ financial: { ...financial, upper_bound: 500 } }), {}, { amount: 7.5 }, says({ financial: { ...financial, upper_bound: 7.5 } })],
    ['leaves it where it is not given', says(), {}, { other: 7.5 }, says()],
    ['leaves it where it is no amount', says(), {}, { amount: '7.5' }, says()],
    ['leaves it to a binding', says(), { requires_binding: QUOTE }, { amount: 7.5 }, says()],
    ['leaves what names no input', DYNAMIC, {}, { amount: 7.5, '': 1, undefined: 2 }, DYNAMIC],
    ['leaves what costs nothing', undefined, {}, { amount: 7.5 }, undefined],
  ])('%s', (_, cost, needs, inputs, expected) => {
    expect(costOfCall(cost, capability(needs), inputs as JsonObject)).toStrictEqual(expected)
  })
}) // prettier-ignore

describe('a pool', () => {
  const paying = { id: 'pay', description: 'Pays.' }
  const step = (rest: { readonly cost?: Money }): FinishedStep => ({ id: 's', capability: 'pay', output: {}, ...rest })

  it('has what may be spent', () => {
    const bound = { currency: 'EUR', bound: 'cost', most: money(1.23) }
    expect(poolOf(money(1.23), 'cost')).toEqual({ ...bound, left: 123n })
    expect(poolOf(money(1.23), 'cost', [step({ cost: money(1) }), step({ cost: money(0.2) })])).toEqual({
      ...bound,
      left: 3n,
    })
    expect(
      poolOf(money(1.23), 'cost', [step({}), step({ cost: money(1, 'USD') }), step({ cost: money(0.001) })]),
    ).toEqual({
      ...bound,
      left: 123n,
    })
    expect(poolOf(money(0.001), 'budget')).toMatchObject({ currency: 'EUR', bound: 'budget', left: 0n })
  })

  it.each<[string, Money | undefined, bigint, readonly string[]]>([
    ['its last cent', money(1.23), 0n, []],
    ['a part', money(1), 23n, []],
    ['nothing', undefined, 123n, []],
    ['no cent more', money(1.24), 123n, ['budget_exceeded', 'The step pay costs 1.24 EUR; the composition declares 1.23 EUR for all its steps. A larger budget does not help.']],
    ['no amount that is none', money(0.001), 123n, ['budget_exceeded', 'The step pay costs 0.001 EUR; the composition declares 1.23 EUR for all its steps. A larger budget does not help.']],
    ['no other currency', money(1, 'USD'), 123n, ['budget_currency_mismatch', 'The composition is paid in EUR, a step in USD: Pays.']],
  ])('gives %s', async (_, share, left, refusal) => {
    const pool: Pool = { currency: 'EUR', bound: 'cost', most: money(1.23), left: 123n }
    expect(await refusalOf(() => takeShare(pool, share, paying))).toEqual(refusal)
    expect(pool.left).toBe(left)
  }) // prettier-ignore

  it.each<[Bound, readonly string[]]>([
    ['budget', ['budget_exceeded', 'The step pay costs 1.24 EUR; the budget is 2 EUR, of which 1.23 EUR are left.']],
    [{ input: 'limit' }, ['invalid_parameters', 'Not valid: limit is 2 EUR for all steps, of which 1.23 EUR are left. The step pay costs 1.24 EUR.']],
  ])('of %j says what its bound is', async (bound, refusal) => {
    const pool: Pool = { currency: 'EUR', bound, most: money(2), left: 123n }
    expect(await refusalOf(() => takeShare(pool, money(1.24), paying))).toEqual(refusal)
  }) // prettier-ignore

  it('is not needed where nothing was reserved', async () => {
    expect(await refusalOf(() => takeShare(undefined, money(1), paying))).toEqual([])
  })
})

describe('an amount that is held', () => {
  interface Given {
    readonly budgets?: readonly object[]
    readonly finished?: readonly object[]
    readonly checked?: Money | undefined
    readonly spentUnits?: bigint
    readonly held?: boolean
    readonly notify?: readonly object[]
  }

  /** Holds what is given, and tells what was asked of the ledger and what is known after it. */
  async function taken({ budgets = [{ mode: 'cumulative' }], finished = [], spentUnits = 0n, held = true, notify = [], ...rest }: Given) {
    const checked = 'checked' in rest ? rest.checked : money(3)
    const asked: [string, readonly Ceiling[], bigint][] = []
    const ledger = {
      reserve: async (...args: (typeof asked)[number]) => (asked.push(args), { held, tokenId: 'tok_0', spentUnits }),
    }
    const chain = budgets.map((budget, index) => ({
      claims: { jti: `tok_${index}`, constraints: { budget: { currency: 'EUR', max_amount: 10 - index, ...budget } } },
    }))
    const token = { chain, ...chain.at(-1) }
    const invocation = { id: 'inv_1', token } as unknown as Invocation
    const cost = checked && { certainty: 'fixed', financial: checked }
    const facts = { token, cost, bindings: [], approval: { used: { finished } } } as unknown as GovernedFacts
    const reserved: Reserved = {}
    const id = budgetHoldIdOf(invocation, facts)
    const refusal = await refusalOf(() => takeBudgetHold({ id: 'svc', now: () => 0, storage: { ledger }, notify } as unknown as Service, invocation, facts, reserved))
    const outcome: CallOutcome = { ok: false, failure: failure('outcome_unknown', '') }
    return { id, asked, refusal, hold: reserved.budgetHold, budget: budgetAfter({ invocation, facts, reserved, outcome }) }
  } // prettier-ignore
  const held = async (given: Given) => {
    const { budget: _, ...rest } = await taken(given)
    return rest
  }
  const HOLD = { id: 'inv_1', units: 300n, currency: 'EUR', ceilings: 2 }
  const NOTHING = { id: undefined, asked: [], refusal: [], hold: undefined }
  const [root, child] = [
    { tokenId: 'tok_0', maxUnits: 1000n },
    { tokenId: 'tok_1', maxUnits: 900n },
  ]

  it.each<[string, Given]>([
    ['where no budget is cumulative', { budgets: [{ mode: 'per_invocation' }, {}] }],
    ['where nothing was checked', { checked: undefined }],
  ])('is none %s', async (_, given) => {
    expect(await held(given)).toEqual(NOTHING)
  })

  it('is none where a token has no budget', async () => {
    const chain = [{ claims: { jti: 'tok_0', constraints: {} } }]
    const invocation = { id: 'inv_1', token: { chain } } as unknown as Invocation
    const facts = { cost: { certainty: 'fixed', financial: money(3) }, bindings: [] } as unknown as GovernedFacts
    expect(budgetHoldIdOf(invocation, facts)).toBeUndefined()
  })

  it('is under every cumulative ceiling of the chain, root first', async () => {
    expect(await held({ budgets: [{ mode: 'cumulative' }, { mode: 'cumulative' }] })).toEqual({
      ...NOTHING,
      id: 'inv_1',
      asked: [['inv_1', [root, child], 300n]],
      hold: HOLD,
    })
    const { asked } = await held({ budgets: [{}, { mode: 'cumulative', max_amount: 0.001 }] })
    expect(asked).toEqual([['inv_1', [{ tokenId: 'tok_1', maxUnits: 0n }], 300n]])
  })

  it('is refused where the rest does not cover it, and is then not held', async () => {
    expect(await held({ held: false, spentUnits: 801n })).toEqual({
      ...NOTHING,
      id: 'inv_1',
      asked: [['inv_1', [root], 300n]],
      refusal: ['budget_exceeded', 'Of the cumulative budget, 8.01 EUR are spent or reserved; the rest does not cover the cost.'],
    })
  }) // prettier-ignore

  it.each([
    [300n, { budget_spent: 3, budget_remaining: 7 }],
    [1000n, { budget_spent: 10, budget_remaining: 0 }],
    [1001n, { budget_spent: 10.01, budget_remaining: 0 }],
  ])('is told, with %s units spent', async (spentUnits, shown) => {
    const { budget } = await taken({ spentUnits })
    const checked = { budget_max: 10, budget_currency: 'EUR', cost_check_amount: 3, cost_certainty: 'fixed' }
    expect(budget).toEqual({ ...checked, ...shown })
  })

  it.each<[string, readonly object[], bigint]>([
    ['what earlier steps paid', [{ cost: money(1) }, { cost: money(0.5) }], 150n],
    ['nothing for what was free', [{}], 300n],
    ['nothing for what was paid in another currency', [{ cost: money(1, 'USD') }], 300n],
    ['nothing for what is no amount', [{ cost: money(0.001) }], 300n],
    ['no more than there is', [{ cost: money(4) }], 0n],
  ])('is less %s', async (_, finished, units) => {
    const { asked, hold } = await held({ finished })
    expect([asked[0]?.[2], hold?.units]).toEqual([units, units])
  })

  it.each<[string, readonly object[], number, bigint | undefined]>([
    ['from 80 % on', [{ name: 'desk', events: ['budget.threshold'] }], 10, 800n],
    ['from the next cent on', [{ name: 'desk', events: ['budget.threshold'] }], 10.01, 801n],
    ['where one of several wants to know', [{ name: 'other', events: ['alarm.raised'] }, { name: 'desk', events: ['budget.threshold'] }], 10, 800n],
    ['not where nobody wants to know', [{ name: 'other', events: ['alarm.raised'] }], 10, undefined],
  ])('tells people %s', async (_, notify, max_amount, units) => {
    const { asked } = await taken({ notify, budgets: [{ mode: 'cumulative', max_amount }] })
    const [{ threshold }] = asked[0]![1] as readonly [Ceiling]
    expect(threshold?.units).toBe(units)
    if (units === undefined) return
    const { type, subject, targets, body } = threshold!.eventAt(units)
    expect([type, subject, targets]).toEqual(['budget.threshold', 'tok_0', ['desk']])
    expect(JSON.parse(body)).toMatchObject({ data: { token_id: 'tok_0', spent: money(Number(units) / 100) } })
  }) // prettier-ignore

  it.each<[string, bigint, object, readonly string[]]>([
    ['covers its last cent', 700n, {}, []],
    ['does not cover a cent more', 701n, {}, ['budget_exceeded', 'Of the cumulative budget, 7.01 EUR are spent or reserved; the rest does not cover the cost.']],
    ['is not asked for what costs nothing', 701n, { cost: undefined }, []],
    ['is not asked for a step', 701n, { step: { id: 'pay' } }, []],
  ])('that would not be held is refused before anybody is asked: the rest %s', async (_, spent, { step, ...change }: { step?: object, cost?: undefined }, refusal) => {
    const chain = [{ claims: { jti: 'tok_0', constraints: { budget: { currency: 'EUR', max_amount: 10, mode: 'cumulative' } } } }]
    const service = { notify: [], storage: { ledger: { spent: async () => spent } } } as unknown as Service
    const invocation = { id: 'inv_1', token: { chain }, step } as unknown as Invocation
    const facts = { cost: { certainty: 'fixed', financial: money(3) }, bindings: [], approval: {}, ...change } as unknown as GovernedFacts
    expect(await refusalOf(() => refuseWhatIsUnaffordable(service, invocation, facts))).toEqual(refusal)
  }) // prettier-ignore

  it('keeps to its own what a token above has spent', async () => {
    const budget = { currency: 'EUR', max_amount: 10, mode: 'cumulative' }
    const chain = ['tok_0', 'tok_1'].map((jti) => ({ claims: { jti, constraints: { budget } } }))
    const ledger = { spent: async (id: string) => (id === 'tok_0' ? 900n : 0n) }
    const facts = { cost: { certainty: 'fixed', financial: money(3) }, bindings: [], approval: {} } as unknown as GovernedFacts
    const invocation = { id: 'inv_1', token: { chain } } as unknown as Invocation
    expect(await refusalOf(() => refuseWhatIsUnaffordable({ notify: [], storage: { ledger } } as unknown as Service, invocation, facts)))
      .toEqual(['budget_exceeded', 'The rest of the cumulative budget of a token above this one does not cover the cost.'])
  }) // prettier-ignore

  it('has an id where one of several budgets is cumulative', async () => {
    expect((await held({ budgets: [{ mode: 'cumulative' }, {}] })).id).toBe('inv_1')
  })

  it('is nothing for what is no amount', async () => {
    expect((await held({ checked: money(0.001) })).hold).toEqual({ ...HOLD, units: 0n, ceilings: 1 })
  })
})
