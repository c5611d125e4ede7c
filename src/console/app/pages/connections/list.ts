import { useEffect, useState } from 'preact/hooks'
import type { ConnectableUpstream, ConnectionList, ConnectionView } from '../../../../protocol/connections.js'
import { get, post, type Trouble } from '../../ask.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { Notice } from '../../parts/notice.js'
import { useQuery } from '../../router.js'
import { Account } from './account.js'
import { needsAttention, type AccountAt } from './account-at.js'
import { DisconnectDialog } from './disconnect-dialog.js'

/** Shows the accounts that agents of this person use, and lets the person connect and disconnect them. */
export function ConnectionsPage() {
  const now = useNow()
  const query = useQuery()
  const [list, setList] = useState<ConnectionList | undefined>()
  const [trouble, setTrouble] = useState<Trouble | undefined>()
  const [leaving, setLeaving] = useState<ConnectionView | undefined>()
  const read = async (): Promise<void> => {
    const answer = await get<ConnectionList>('/connections')
    if (answer.ok) setList(answer.value)
    else setTrouble(answer.trouble)
  }
  const connect = async ({ upstream }: ConnectableUpstream): Promise<void> => {
    setTrouble(undefined)
    const begun = await post<{ readonly location: string }>('/connections/connect', { upstream })
    if (begun.ok) location.assign(begun.value.location)
    else setTrouble(begun.trouble)
  }
  useEffect(() => void read(), [])
  const left = (): void => {
    setLeaving(undefined)
    void read()
  }
  const row = (account: AccountAt) => {
    const { upstream } = account.upstream
    const isAsked = query.get('connect') === upstream
    const acts = { onConnect: connect, onDisconnect: setLeaving }
    return markup`<${Account} key=${upstream} account=${account} isAsked=${isAsked} now=${now} ...${acts} />`
  }
  const because = query.get('because')
  const accounts = accountsIn(list)
  return markup`
    <div class="page-head">
      <div>
        <h1>${headlineOf(accounts)}</h1>
        <p>Agents that act for you use these accounts. They never see your password or a token.</p>
      </div>
    </div>
    <p class="vh" role="status">${query.get('connected') === null ? '' : 'Connected.'}</p>
    ${trouble && troubleNotice('The account was not changed', trouble.detail)}
    ${because !== null && trouble === undefined && troubleNotice(NOT_CONNECTED, BECAUSE[because] ?? BECAUSE['refused']!)}
    ${list !== undefined && accounts.length === 0 && NO_ACCOUNTS}
    ${
      accounts.length > 0 &&
      markup`<ul class="panel conns" aria-label="Your accounts">
        ${accounts.map((account) => row(account))}
      </ul>`
    }
    ${
      leaving &&
      markup`<${DisconnectDialog} connection=${leaving} onClose=${() => setLeaving(undefined)} onDone=${left} />`
    }
  `
}

const NOT_CONNECTED = 'The account was not connected'

const NO_ACCOUNTS = markup`
  <div class="empty">
    ${icon('connections')}
    <h2>No accounts</h2>
    <p>No capability of this service uses an account of yours.</p>
  </div>
`

const troubleNotice = (title: string, detail: string) => markup`
  <${Notice} is="failed" icon="failed" role="alert" title=${title}><p>${detail}</p><//>
`

const BECAUSE: { readonly [because: string]: string } = {
  denied: 'You did not agree at the provider. Nothing was connected.',
  expired: 'It took longer than 10 minutes, or began in another session. Connect again.',
  refused: 'The answer of the provider was not accepted. Nothing was connected. Connect again.',
}

const accountsIn = (list: ConnectionList | undefined): readonly AccountAt[] =>
  (list?.upstreams ?? []).map((upstream) => ({
    upstream,
    connection: list?.connections.find((each) => each.upstream === upstream.upstream),
  }))

function headlineOf(accounts: readonly AccountAt[]): string {
  const connected = accounts.filter(({ connection }) => connection !== undefined && connection.state !== 'ended').length
  const waiting = accounts.filter(needsAttention).length
  const first = `${connected} ${connected === 1 ? 'account' : 'accounts'} connected`
  return waiting === 0 ? first : `${first}, ${waiting} ${waiting === 1 ? 'needs' : 'need'} attention`
}
