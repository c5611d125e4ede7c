import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { markup } from '../../markup.js'
import { amount, left, money, percentOf } from '../../words/money.js'

/** Shows the share of the token's budget that the call takes: a bar if calls are summed, words if not. */
export function CostPanel({ request }: { readonly request: ApprovalRequest }) {
  const { checked_cost: cost, context } = request
  const { budget, spent } = context?.token ?? {}
  if (request.status !== 'pending') return markup`<${Checked} request=${request} />`
  const isSame = budget !== undefined && cost?.currency === budget.currency
  if (budget?.mode === 'cumulative' && isSame && cost !== undefined && spent !== undefined)
    return markup`<${Bar} whole=${budget.max_amount} spent=${spent} takes=${cost.amount} currency=${cost.currency} />`
  return markup`
    <section class="panel" aria-labelledby="cost">
      <h2 id="cost">${cost === undefined ? 'Its cost is unknown' : `It costs ${money(cost)}`}</h2>
      <p class="small muted">
        ${
          budget === undefined
            ? 'The token of the agent has no budget.'
            : 'The token of the agent may spend at ' +
              `most ${money({ currency: budget.currency, amount: budget.max_amount })}${budget.mode === 'cumulative' ? ' in all' : ' per call'}.`
        }
      </p>
    </section>
  `
}

/** After a decision the budget is another one: what was checked stays true, and what the call has cost is known. */
function Checked({ request: { status, checked_cost: cost, context } }: { readonly request: ApprovalRequest }) {
  const actual = context?.outcome?.cost_actual ?? undefined
  const name = status === 'approved' ? 'Approved cost' : 'Requested cost'
  const title = cost === undefined ? 'Unknown cost' : `${name}: ${money(cost)}`
  const isSame = actual !== undefined && cost !== undefined && money(actual) === money(cost)
  const ran = actual && `Actual cost: ${isSame ? 'as approved' : money(actual)}.`
  return markup`
    <section class="panel" aria-labelledby="cost">
      <h2 id="cost">${title}</h2>
      ${status !== 'approved' && markup`<p class="small muted">Nothing was spent.</p>`}
      ${ran !== undefined && markup`<p class="small muted">${ran}</p>`}
    </section>
  `
}

interface BarProps {
  readonly whole: number
  readonly spent: number
  readonly takes: number
  readonly currency: string
}

function Bar({ whole, spent, takes, currency }: BarProps) {
  const of = (value: number) => amount({ amount: value, currency })
  const rest = left({ amount: whole, currency }, spent, takes)
  const share = (value: number): number => (whole <= 0 ? 0 : Math.min(100, (value / whole) * 100))
  return markup`
    <section class="panel" aria-labelledby="cost">
      <h2 id="cost">It takes ${percentOf(takes, whole)} % of the budget and leaves ${money(rest)}</h2>
      <svg
        class="bar"
        viewBox="0 0 100 10"
        preserveAspectRatio="none"
        role="img"
        aria-label=${`Budget of ${of(whole)} ${currency}: ${of(spent)} spent before, ${of(takes)} for this call, ${amount(rest)} left after it`}
      >
        <rect class="spent" width=${share(spent)} height="10" />
        <rect class="this" x=${share(spent)} width=${Math.min(share(takes), 100 - share(spent))} height="10" />
        ${spent > 0 && markup`<rect class="gap" x=${share(spent) - 0.2} width=".5" height="10" />`}
      </svg>
      <ul class="key">
        <li>
          ${swatch('spent')}<span><b class="num">${of(spent)}</b> spent before</span>
        </li>
        <li>
          ${swatch('this')}<span><b class="num">${of(takes)}</b> this call</span>
        </li>
        <li>
          ${swatch('left')}<span><b class="num">${amount(rest)}</b> left of ${of(whole)} ${currency}</span>
        </li>
      </ul>
    </section>
  `
}

const swatch = (name: 'spent' | 'this' | 'left') => markup`
  <svg viewBox="0 0 12 12" class="swatch" aria-hidden="true">
    <rect
      width="12"
      height="12"
      rx="2"
      class=${name}
      ...${name === 'left' ? { fill: 'none', stroke: 'currentColor' } : {}}
    />
  </svg>
`
