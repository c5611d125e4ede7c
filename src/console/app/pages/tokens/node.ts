import { useState } from 'preact/hooks'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { money } from '../../words/money.js'
import { isPerson, nameOf } from '../../words/people.js'
import { oneLine } from '../../words/safe-text.js'
import { both } from '../../words/time.js'
import { BudgetBar } from './budget.js'
import { Narrowed } from './narrowed.js'
import { allOf, type Node } from './tree.js'

interface NodeProps {
  readonly node: Node
  readonly now: number
  readonly onRevoke: (node: Node) => void
}

/** A token and those below it, which fold. */
export function TokenNode({ node, now, onRevoke }: NodeProps) {
  const [isOpen, setOpen] = useState(true)
  const { token, parent, children } = node
  const isLive = token.state === 'live'
  const below = allOf(node).length - 1
  return markup`
    <li class=${isLive ? undefined : 'ended'}>
      <div class="tok">
        <div>
          <h2>
            <span class="state" data-is="neutral">${icon(isPerson(token.subject) ? 'person' : 'agent')}</span>
            <b><bdi>${nameOf(token.subject)}</bdi></b>
            ${!isLive && markup`<span class="state chip" data-is="neutral">${icon(token.state === 'revoked' ? 'refused' : 'expired')}${token.state === 'revoked' ? 'Revoked' : 'Expired'}</span>`}
          </h2>
          <p><${Facts} node=${node} now=${now} /></p>
          ${parent && markup`<${Narrowed} token=${token} parent=${parent} now=${now} />`}
          ${below > 0 && markup`<p><button class="btn sm" data-kind="quiet" aria-expanded=${isOpen} onClick=${() => setOpen(!isOpen)}>${isOpen ? 'Fold' : 'Show'} ${below} below it</button></p>`}
        </div>
        <div><${BudgetBar} token=${token} /></div>
        <div class="r">
          ${isLive && markup`<button class="btn sm" onClick=${() => onRevoke(node)}>Revoke…<span class="vh"> ${nameOf(token.subject)}</span></button>`}
        </div>
      </div>
      ${isOpen && children.length > 0 && markup`<ul>${children.map((child) => markup`<${TokenNode} key=${child.token.token_id} node=${child} now=${now} onRevoke=${onRevoke} />`)}</ul>`}
    </li>
  `
}

/** Shows the rights of a token, its expiry and its buyer. */
function Facts({ node: { token, parent } }: NodeProps) {
  const { scope, capability, budget, expires_at, root_principal, parent_token_id, depth } = token
  const place =
    depth === 0
      ? `Bought by ${nameOf(root_principal)}`
      : parent === undefined && parent_token_id !== undefined
        ? `Below another token of ${nameOf(root_principal)}`
        : ''
  const parts = [
    place,
    parent === undefined ? scope.map((each) => oneLine(each, 60)).join(', ') : '',
    parent === undefined && capability !== undefined ? `only ${oneLine(capability, 60)}` : '',
    budget !== undefined && parent === undefined && budget.mode !== 'cumulative' ? `${money({ amount: budget.max_amount, currency: budget.currency })} per call` : '', // prettier-ignore
    parent === undefined && token.task_id !== undefined ? `task ${oneLine(token.task_id, 60)}` : '',
    `until ${both(Date.parse(expires_at), Date.parse(expires_at))}`,
  ]
  return markup`<bdi>${parts.filter((part) => part !== '').join(' · ')}</bdi>`
}
