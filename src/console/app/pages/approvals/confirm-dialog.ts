import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { markup } from '../../markup.js'
import { Dialog } from '../../parts/dialog.js'
import { usePressGuard } from '../../parts/press-guard.js'
import { confirmWords, headline } from '../../words/headline.js'
import { money } from '../../words/money.js'
import { countdown } from '../../words/time.js'

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
  const guard = usePressGuard(() => {
    if (!isSending) onConfirm()
  })
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
          ...${guard}
        >
          ${isSending ? 'Approving…' : markup`${confirmWords(request)} <kbd>Enter</kbd>`}
        </button>
        <button class="btn wide" onClick=${onClose}>Go back <kbd>Esc</kbd></button>
      </div>
    <//>
  `
}
