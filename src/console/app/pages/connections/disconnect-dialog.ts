import { useState } from 'preact/hooks'
import type { ConnectionView } from '../../../../protocol/connections.js'
import { post, type Trouble } from '../../ask.js'
import { markup } from '../../markup.js'
import { Dialog } from '../../parts/dialog.js'
import { Notice } from '../../parts/notice.js'

interface DisconnectProps {
  readonly connection: ConnectionView
  readonly onClose: () => void
  readonly onDone: () => void
}

/** Ends the use of an account by agents. */
export function DisconnectDialog({ connection, onClose, onDone }: DisconnectProps) {
  const [isSending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | undefined>()
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (isSending) return
    setSending(true)
    const ended = await post(`/connections/${connection.connection_id}/disconnect`)
    setSending(false)
    if (ended.ok) onDone()
    else setTrouble(ended.trouble)
  }
  return markup`
    <${Dialog} label="disconnect-title" onClose=${onClose}>
      <form onSubmit=${send}>
        <h2 id="disconnect-title">Disconnect ${connection.account ?? connection.upstream}?</h2>
        <dl class="facts">
          <dt>At once</dt>
          <dd>No agent can use the account. Calls that need it are refused.</dd>
          <dt>At the provider</dt>
          <dd>The service revokes its access and deletes its tokens.</dd>
          <dt>Back again</dt>
          <dd>Connect again at any time; agents keep their tokens.</dd>
        </dl>
        ${
          trouble &&
          markup`<${Notice} is="failed" icon="failed" role="alert" title="The account is still connected">
            <p>${trouble.detail}</p>
          <//>`
        }
        <div class="acts">
          <button class="btn wide" data-kind="deny-full" aria-disabled=${isSending}>${isSending ? 'Disconnecting…' : 'Disconnect'}</button>
          <button class="btn wide" type="button" onClick=${onClose}>Go back <kbd>Esc</kbd></button>
        </div>
      </form>
    <//>
  `
}
