import type { ConnectableUpstream, ConnectionEnd, ConnectionView } from '../../../../protocol/connections.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { Notice, State } from '../../parts/notice.js'
import { both, local } from '../../words/time.js'
import { needsAttention, type AccountAt } from './account-at.js'

interface AccountProps {
  readonly account: AccountAt
  /** True where the person came to connect this one. */
  readonly isAsked: boolean
  readonly now: number
  readonly onConnect: (upstream: ConnectableUpstream) => void
  readonly onDisconnect: (connection: ConnectionView) => void
}

/** One account: its state, the capabilities that use it, and how to connect or end it. */
export function Account({ account, isAsked, now, onConnect, onDisconnect }: AccountProps) {
  const { upstream, connection } = account
  const isLive = connection !== undefined && connection.state !== 'ended'
  const isWaiting = needsAttention(account)
  return markup`
    <li class="conn">
      <span class="logo">${icon('connections')}</span>
      <div class="txt">
        <h2>${upstream.title} ${stateOf(isLive, isWaiting)}</h2>
        <p>${connection?.account ?? upstream.issuer}${isLive && sinceWords(connection, now)}</p>
        ${connection?.last_used_at !== undefined && lastUse(connection, now)}
        <div class="can">${upstream.capabilities.map((name) => markup`<span class="tagged">${name}</span>`)}</div>
      </div>
      <div class="acts">
        ${
          (!isLive || isWaiting) &&
          markup`<button class="btn sm" data-kind="primary" autofocus=${isAsked} onClick=${() => onConnect(upstream)}>
            ${connection === undefined ? 'Connect…' : 'Reconnect…'}<span class="vh"> ${upstream.title}</span>
          </button>`
        }
        ${
          isLive &&
          markup`<button class="btn sm" onClick=${() => onDisconnect(connection)}>
            ${'Disconnect…'}<span class="vh"> ${upstream.title}</span>
          </button>`
        }
      </div>
      ${isWaiting && whyNotice(connection!, now)}
    </li>
  `
}

const sinceWords = ({ connected_at }: ConnectionView, now: number): string =>
  `, since ${local(Date.parse(connected_at), now)}`

const lastUse = ({ last_used_at, last_used_by }: ConnectionView, now: number) =>
  markup`<p>Last used ${local(Date.parse(last_used_at!), now)} by ${last_used_by}</p>`

const whyNotice = (connection: ConnectionView, now: number) => markup`
  <${Notice} is="waiting" icon="connections" title=${whyOf(connection)}>
    <p>
      Connected ${both(Date.parse(connection.connected_at), now)}. Calls that need it are refused with <code>connection_required</code>.
      Reconnect the account to let the agents continue.
    </p>
  <//>
`

const stateOf = (isLive: boolean, isWaiting: boolean) =>
  isWaiting
    ? markup`<${State} is="waiting" icon="waiting" word="Needs attention" />`
    : isLive
      ? markup`<${State} is="done" icon="done" word="Connected" />`
      : markup`<span class="state muted">Not connected</span>`

const WHY: { readonly [because in ConnectionEnd]: string } = {
  disconnected: 'You disconnected the account',
  blocked: 'An operator ended the access',
  refused_upstream: 'The provider ended the access',
  interrupted: 'A renewal of the access was interrupted',
  key_lost: 'The key that protected the access is gone',
  expired: 'The access has expired',
}

/** Says why an account needs its person. */
const whyOf = ({ wanted, ended_because = 'expired' }: ConnectionView): string =>
  wanted === undefined ? WHY[ended_because] : `The provider asks for more: ${wanted.join(', ')}`
