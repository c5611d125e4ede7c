import { useState } from 'preact/hooks'
import type { ApprovalRequest } from '../../../../protocol/approval.js'
import type { Here } from '../../here.js'
import { markup } from '../../markup.js'
import { Dialog } from '../../parts/dialog.js'
import { Notice } from '../../parts/notice.js'
import { usePressGuard } from '../../parts/press-guard.js'
import { signInAgain } from '../../router.js'
import { headline } from '../../words/headline.js'
import { money } from '../../words/money.js'
import { valuesOf } from '../../words/request-values.js'
import { oneLine } from '../../words/safe-text.js'
import { valueText } from '../../words/values.js'
import { approve, deny } from './decide.js'
import { DenyDialog } from './deny-dialog.js'

interface BatchProps {
  readonly here: Here
  readonly requests: readonly ApprovalRequest[]
  readonly onDone: () => void
}

/** Equal requests that are decided together; each keeps its own entry on the trail. */
export function Batch({ here, requests, onDone }: BatchProps) {
  const [step, setStep] = useState<'approve' | 'deny' | undefined>()
  const [failed, setFailed] = useState<readonly string[]>([])
  const each = async (
    decide: (
      id: string,
    ) => Promise<{ readonly ok: boolean; readonly trouble?: { readonly type: string; readonly detail: string } }>,
  ): Promise<void> => {
    const troubles: string[] = []
    for (const request of requests) {
      const decided = await decide(request.approval_request_id)
      if (decided.trouble?.type === 'authentication_required') return signInAgain()
      if (!decided.ok) troubles.push(`${headline(request)}: ${decided.trouble?.detail ?? ''}`)
    }
    setStep(undefined)
    setFailed(troubles)
    here.pending.read()
    if (troubles.length === 0) onDone()
  }
  const count = requests.length
  return markup`
    ${
      failed.length > 0 &&
      markup`<${Notice} is="failed" icon="failed" role="alert" title="Not all were decided">
        <ul>
          ${failed.map((text) => markup`<li>${text}</li>`)}
        </ul>
      <//>`
    }
    <div class="batch" role="region" aria-label="Selected requests">
      <div class="grow">
        <b class="strong">${count === 1 ? '1 request' : `${count} requests`} selected</b><br />
        <span class="small muted">Same capability, same requester. Each request gets its own audit entry.</span>
      </div>
      <button class="btn" data-kind="deny" onClick=${() => setStep('deny')}>Deny ${count}…</button>
      <button class="btn" data-kind="approve" onClick=${() => setStep('approve')}>Approve ${count}, once each…</button>
    </div>
    ${step === 'deny' && markup`<${DenyDialog} title=${`Deny ${count} requests`} onClose=${() => setStep(undefined)} onDeny=${(reason: string) => each((id) => deny(id, reason))} />`}
    ${step === 'approve' && markup`<${ApproveAll} requests=${requests} onClose=${() => setStep(undefined)} onApprove=${() => each((id) => approve(id, { grant_type: 'one_time' }, ''))} />`}
  `
}

interface ApproveAllProps {
  readonly requests: readonly ApprovalRequest[]
  readonly onClose: () => void
  readonly onApprove: () => void
}

/** Values of a call beside its headline. */
function valuesText(request: ApprovalRequest): string | undefined {
  const values = valuesOf(request).map(([label, value]) => `${label}: ${valueText(value)}`)
  return values.length === 0 ? undefined : oneLine(values.join(' · '), 300)
}

function ApproveAll({ requests, onClose, onApprove }: ApproveAllProps) {
  const guard = usePressGuard(onApprove)
  return markup`
  <${Dialog} label="all-title" isAlert onClose=${onClose}>
    <h2 id="all-title">Approve ${requests.length}, once each?</h2>
    <ul class="mini">
      ${requests.map((request) => markup`<li>${headline(request, { cost: false })}${request.checked_cost && markup` <span class="num small muted">${money(request.checked_cost)}</span>`}${valuesText(request) !== undefined && markup`<br /><code class="small">${valuesText(request)}</code>`}</li>`)}
    </ul>
    <div class="acts">
      <button class="btn wide" data-kind="approve" autofocus ...${guard}>
        Approve ${requests.length} <kbd>Enter</kbd>
      </button>
      <button class="btn wide" onClick=${onClose}>Go back <kbd>Esc</kbd></button>
    </div>
  <//>
`
}
