import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { money } from '../../words/money.js'
import { isPerson, nameOf } from '../../words/people.js'
import { oneLine } from '../../words/safe-text.js'
import { both } from '../../words/time.js'

/** Shows the delegation chain: the root principal, the delegates, and the requester. */
export function ChainPanel({ request }: { readonly request: ApprovalRequest }) {
  const { requester, context } = request
  const chain = namesOf(context?.delegation ?? [requester.root_principal, requester.subject])
  return markup`
    <section class="panel" aria-labelledby="who">
      <h2 id="who">Delegation chain</h2>
      <ol class="chain">
        ${chain.map(
          (name, index) =>
            markup` <li>
              <span class="node">${icon(isPerson(name) ? 'person' : 'agent')}</span>
              <h3>${nameOf(name)} <span class="tag">${roleIn(index, chain.length)}</span></h3>
              ${index === chain.length - 1 && markup`<${Bounds} request=${request} />`}
            </li>`,
        )}
      </ol>
    </section>
  `
}

function roleIn(index: number, length: number): string {
  if (index === length - 1) return length === 1 ? 'asks with own authority' : 'asks'
  return index === 0 ? 'gives the authority' : 'passes on less'
}

/** A token of a principal for itself adds no link. */
const namesOf = (delegation: readonly string[]): readonly string[] =>
  delegation.filter((name, index) => name !== delegation[index - 1])

function Bounds({ request: { context, scope, task_id } }: { readonly request: ApprovalRequest }) {
  const now = useNow()
  const { budget, expires_at } = context?.token ?? {}
  const parts = [
    scope.length === 0 ? '' : `Scope ${scope.join(', ')}`,
    budget === undefined ? '' : `up to ${money({ currency: budget.currency, amount: budget.max_amount })}`,
    expires_at === undefined ? '' : `until ${both(Date.parse(expires_at), now)}`,
  ].filter((part) => part !== '')
  const task = context?.token?.task_id ?? task_id
  return markup`
    <p>
      ${parts.join(', ')}${task !== undefined && markup`${parts.length > 0 && ' · '}task <bdi class="said">${oneLine(task, 80)}</bdi>`}
    </p>
  `
}
