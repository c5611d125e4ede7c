import { useState } from 'preact/hooks'
import { post, type Trouble } from '../../ask.js'
import { markup } from '../../markup.js'
import { Dialog } from '../../parts/dialog.js'
import { Notice } from '../../parts/notice.js'
import { signInAgain } from '../../router.js'
import { nameOf } from '../../words/people.js'
import { allOf, type Node } from './tree.js'

interface RevokeProps {
  readonly node: Node
  readonly onClose: () => void
  readonly onDone: () => void
}

const MOST_NAMES = 8

/** Ends a token and all below it, for good; a reason is needed. */
export function RevokeDialog({ node, onClose, onDone }: RevokeProps) {
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isSending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | undefined>()
  const ending = allOf(node).filter(({ state }) => state === 'live')
  const name = nameOf(node.token.subject)
  const send = async (event: Event): Promise<void> => {
    event.preventDefault()
    if (reason.trim() === '') return setMissing(true)
    if (isSending) return
    setSending(true)
    const revoked = await post('/tokens/revoke', { token_id: node.token.token_id, reason: reason.trim() })
    setSending(false)
    if (revoked.ok) onDone()
    else setTrouble(revoked.trouble)
  }
  return markup`
    <${Dialog} label="revoke-title" onClose=${onClose}>
      <form onSubmit=${send}>
        <h2 id="revoke-title">Revoke ${name}${ending.length > 1 && ` and ${ending.length - 1} below it`}?</h2>
        <p>The tokens stop working at once, permanently. Running calls finish. You can issue new tokens at any time.</p>
        <dl class="facts">
          <dt>Ends</dt>
          <dd>${namesOf(ending.map(({ subject }) => nameOf(subject)))}${', and whatever was given on from it that is not listed here'}</dd>
          ${node.parent && markup`<dt>Stays</dt><dd>the token of ${nameOf(node.parent.subject)}</dd>`}
        </dl>
        ${
          trouble &&
          markup`<${Notice} is="failed" icon="failed" role="alert" title="Nothing was revoked">
            <p>${trouble.detail}</p>
            ${trouble.type === 'authentication_required' && markup`<div class="acts"><button class="btn sm" type="button" onClick=${signInAgain}>Sign in again</button></div>`}
          <//>`
        }
        <div class="field gap">
          <label for="revoke-reason">Reason</label>
          <input
            id="revoke-reason"
            maxlength="1000"
            autocomplete="off"
            autofocus
            value=${reason}
            onInput=${({ target }: Event) => setReason((target as HTMLInputElement).value)}
          />
          ${isMissing && reason.trim() === '' && markup`<p class="error-text" role="alert">Enter a reason. It is recorded in the audit trail.</p>`}
        </div>
        <div class="acts">
          <button class="btn wide" data-kind="deny-full" aria-disabled=${isSending}>
            ${isSending ? 'Revoking…' : `Revoke ${ending.length === 1 ? 'this token' : `${ending.length} tokens`}`}
          </button>
          <button class="btn wide" type="button" onClick=${onClose}>Go back <kbd>Esc</kbd></button>
        </div>
      </form>
    <//>
  `
}

const namesOf = (names: readonly string[]): string =>
  names.length <= MOST_NAMES
    ? names.join(', ')
    : `${names.slice(0, MOST_NAMES).join(', ')} and ${names.length - MOST_NAMES} more`
