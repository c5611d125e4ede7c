/** Budgets to the last minor unit: what is left is enough, and when somebody is told (section 4.6; decisions, section 13). */
import { expect, it } from 'vitest'
import type { NotifyTarget } from '../../src/runtime/events/targets/target.js'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore
const costing = (amount: number) =>
  capability({
    side_effect: { type: 'irreversible' },
    cost: { certainty: 'fixed', financial: { currency: 'EUR', amount } },
  })
const OPS: NotifyTarget = { name: 'ops', events: ['budget.threshold'], problems: [], deliver: async () => ({ ok: true }) } // prettier-ignore

it.each([
  [10, 'approval_required'],
  [9.99, 'budget_exceeded'],
])('of a budget of %d EUR, 5 of which are spent, a call for 5 is answered with %s', async (max_amount, type) => {
  const book = { ...costing(5), approval: { required: 'always', grant_policy: policy } } as const
  const { root, invoke } = await startFixture({ capabilities: { pay: costing(5), book } })
  const { token } = await root({ subject: 'agent:a', budget: { currency: 'EUR', max_amount, mode: 'cumulative' } })
  await invoke('pay', token)
  expect((await invoke('book', token)).body['failure']!['type']).toBe(type)
})

it.each([
  [0.07, [5, 1, 1], [[], ['0.06'], ['0.06']]],
  [0.05, [3, 1, 1], [[], ['0.04'], ['0.04']]],
  [1, [79, 1, 5], [[], ['0.8'], ['0.8']]],
] as const)('of %d EUR it is told once when 80 %% are spent, rounded up to a cent', async (max_amount, cents, told) => {
  const amounts = { c1: costing(0.01), c3: costing(0.03), c5: costing(0.05), c79: costing(0.79) }
  const { root, invoke, storage } = await startFixture({ capabilities: amounts, notify: [OPS] })
  const { token } = await root({ budget: { currency: 'EUR', max_amount, mode: 'cumulative' } })
  const spent: (readonly string[])[] = []
  for (const each of cents) {
    await invoke(`c${each}`, token)
    const due = await storage.outbox.due('ops', 9)
    spent.push(due.map(({ body }) => String((JSON.parse(body) as { data: { spent: { amount: number } } }).data.spent.amount))) // prettier-ignore
  }
  expect(spent).toEqual(told)
})
