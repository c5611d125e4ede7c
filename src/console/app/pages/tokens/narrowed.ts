import type { ListedToken } from '../../../../protocol/operator.js'
import { markup } from '../../markup.js'
import { amount } from '../../words/money.js'
import { oneLine } from '../../words/safe-text.js'
import { local } from '../../words/time.js'

interface NarrowedProps {
  readonly token: ListedToken
  readonly parent: ListedToken
  readonly now: number
}

/** Shows how a child token is narrower than its parent. */
export function Narrowed({ token, parent, now }: NarrowedProps) {
  const items = [
    token.capability !== undefined && token.capability !== parent.capability && markup`<li>only <code>${oneLine(token.capability, 60)}</code></li>`,
    token.task_id !== undefined && token.task_id !== parent.task_id && markup`<li>only task <bdi>${oneLine(token.task_id, 60)}</bdi></li>`,
    ...parent.scope.filter((scope) => !token.scope.includes(scope)).map((scope) => markup`<li><del>${oneLine(scope, 60)}</del></li>`),
    budgetItem(token, parent),
    token.expires_at < parent.expires_at && change(local(Date.parse(parent.expires_at), now), local(Date.parse(token.expires_at), now)),
  ].filter((item) => item !== false && item !== undefined) // prettier-ignore
  if (items.length === 0) return markup`<p>Same rights as the parent.</p>`
  return markup`<ul class="diff" aria-label="What this step narrowed">
    <li class="lead-in">Narrowed:</li>
    ${items}
  </ul>`
}

const change = (from: string, to: string) =>
  markup`<li><del>${from}</del> <span aria-hidden="true">→</span><span class="vh">to</span> ${to}</li>`

function budgetItem({ budget }: ListedToken, { budget: before }: ListedToken) {
  if (budget === undefined) return undefined
  const words = `${amount({ amount: budget.max_amount, currency: budget.currency })} ${budget.currency}${budget.mode === 'cumulative' ? '' : ' per call'}`
  if (before === undefined) return markup`<li>up to ${words}</li>`
  if (before.max_amount === budget.max_amount && before.mode === budget.mode) return undefined
  return change(amount({ amount: before.max_amount, currency: before.currency }), words)
}
