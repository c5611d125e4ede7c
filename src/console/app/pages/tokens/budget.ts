import type { ListedToken } from '../../../../protocol/operator.js'
import { markup } from '../../markup.js'
import { amount, money } from '../../words/money.js'

const WARN_FROM = 80

/** A bar where amounts add up, words where they do not. */
export function BudgetBar({ token: { budget, spent } }: { readonly token: ListedToken }) {
  if (budget === undefined) return markup`<p class="small">No budget</p>`
  const { currency, max_amount } = budget
  const whole = money({ amount: max_amount, currency })
  if (spent === undefined) return markup`<p class="small">At most ${whole} per call</p>`
  const share = max_amount <= 0 ? 100 : Math.min(100, (spent / max_amount) * 100)
  const said = amount({ amount: spent, currency })
  return markup`
    <svg class="bar thin" viewBox="0 0 100 10" preserveAspectRatio="none" role="img" aria-label=${`${said} of ${whole} spent`}>
      <rect class=${share >= WARN_FROM ? 'warn' : 'spent'} width=${share} height="10" />
    </svg>
    <p class="small"><b class="strong num">${said}</b> of ${whole}</p>
  `
}
