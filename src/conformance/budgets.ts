import { cases } from './case.js'
import { cannotTry } from './outcomes.js'
import { equal, fails, holds } from './expect.js'
import { capabilityThat, preparedParameters, taken, tokenFor } from './samples.js'
import type { LooseJson, ServiceUnderTest } from './target.js'

/** Holds where the cost is checked against a budget (section 4.6): an estimate alone is not. */
export const isChecked = ({ cost, requires_binding }: LooseJson): boolean =>
  cost?.['financial'] !== undefined &&
  ((cost['certainty'] as unknown) !== 'estimated' || requires_binding !== undefined)

const costly = (target: ServiceUnderTest) => capabilityThat(target, 'costs money', isChecked)
const withBudget = async (target: ServiceUnderTest, currency: string, max_amount: number) => {
  const named = costly(target)
  const token = await tokenFor(target, named, { budget: { currency, max_amount } })
  const parameters = await preparedParameters(target, token, named)
  return {
    reply: taken(await target.invoke(named[0], token, { parameters }), named),
    cost: named[1]['cost']!,
  }
}

/** Cases about what a budget allows (section 4.6). */
export const budgetCases = cases('4.6', {
  'a budget that is too small is exceeded, and its context is told': async (target) => {
    const [, declared] = costly(target)
    const { reply, cost } = await withBudget(
      target,
      declared['cost']!['financial']!['currency'] as unknown as string,
      0,
    )
    const context = (reply.body['budget_context'] ?? {}) as unknown as { [name: string]: unknown }
    if (context['cost_check_amount'] === 0) cannotTry('it costs nothing for sample inputs')
    fails(reply, 'budget_exceeded')
    equal([context['budget_max'], context['cost_certainty']], [0, cost['certainty']], 'budget_context')
    holds(typeof context['cost_check_amount'] === 'number', 'cost_check_amount is missing')
  },
  'a budget in another currency does not match': async (target) => {
    const [, declared] = costly(target)
    const other = (declared['cost']!['financial']!['currency'] as unknown as string) === 'JPY' ? 'EUR' : 'JPY'
    fails((await withBudget(target, other, 1_000_000)).reply, 'budget_currency_mismatch')
  },
})
