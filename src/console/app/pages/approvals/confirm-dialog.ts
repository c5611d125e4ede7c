import { useEffect, useState } from 'preact/hooks'
import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { markup } from '../../markup.js'
import { Dialog } from '../../parts/dialog.js'
import { confirmWords, headline } from '../../words/headline.js'
import { money } from '../../words/money.js'
import { countdown } from '../../words/time.js'

/** The button ignores what comes sooner, and a key that is held. */
const TOO_SOON_MS = 400

interface ConfirmProps {
  readonly request: ApprovalRequest
  readonly leftMs: number
  readonly terms: string
  readonly isSending: boolean
  readonly onClose: () => void
  readonly onConfirm: () => void
}

/** Asks a second time about what cannot be undone, naming effect and amount. */
export function ConfirmDialog({ request, leftMs, terms, isSending, onClose, onConfirm }: ConfirmProps) {
  const [mayPress, setMayPress] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setMayPress(true), TOO_SOON_MS)
    return () => clearTimeout(timer)
  }, [])
  const { checked_cost } = request
  return markup`
    <${Dialog} label="confirm-title" isAlert onClose=${onClose}>
      <p class="small muted">Step 2 of 2 · ${countdown(leftMs)} left</p>
      <h2 id="confirm-title">Approve a call that cannot be undone?</h2>
      <p>It runs as soon as the agent repeats the call. It cannot be undone.</p>
      <dl class="facts">
        <dt>What</dt>
        <dd>${headline(request)}</dd>
        ${
          checked_cost !== undefined &&
          markup`<dt>Amount</dt>
            <dd><b class="strong num">${money(checked_cost)}</b></dd>`
        }
        <dt>Approval</dt>
        <dd>${terms}</dd>
      </dl>
      <div class="acts">
        <button
          class="btn wide"
          data-kind="irreversible"
          autofocus
          aria-disabled=${isSending}
          onKeyDown=${(event: KeyboardEvent) => {
            if (event.repeat) event.preventDefault()
          }}
          onClick=${() => {
            if (mayPress && !isSending) onConfirm()
          }}
        >
          ${isSending ? 'Approving…' : markup`${confirmWords(request)} <kbd>Enter</kbd>`}
        </button>
        <button class="btn wide" onClick=${onClose}>Go back <kbd>Esc</kbd></button>
      </div>
    <//>
  `
}
