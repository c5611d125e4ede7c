import { useEffect, useState } from 'preact/hooks'
import type { ApprovalRequest } from '../../../../protocol/approval.js'
import type { Asked, Trouble } from '../../ask.js'
import type { Here } from '../../here.js'
import { useKeys } from '../../hooks/use-keys.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { Notice } from '../../parts/notice.js'
import { signInAgain } from '../../router.js'
import { effectWords } from '../../words/effect.js'
import { money } from '../../words/money.js'
import { both, countdown } from '../../words/time.js'
import { ConfirmDialog } from './confirm-dialog.js'
import { approve, deny, sendBack } from './decide.js'
import { DenyDialog } from './deny-dialog.js'
import { draftOf, dropDraft, keepDraft } from './draft.js'
import { MayNot, whyNot } from './may-not.js'
import { Quorum } from './quorum.js'
import { effectOf } from './row.js'
import { draftFor, TermsChoice, termsOf, termsWords } from './terms.js'
import { SendBackDialog } from './send-back-dialog.js'
import { TimeSpoken } from './time-spoken.js'

interface DecisionProps {
  readonly here: Here
  readonly request: ApprovalRequest
  /** Reads the request again. */
  readonly onDecided: () => void
}

/** Approve or deny. Whatever goes wrong is said where the buttons are, and what was typed stays. */
export function Decision({ here, request, onDecided }: DecisionProps) {
  const { approval_request_id: id, expires_at } = request
  const now = useNow()
  const [draft, setDraft] = useState(() => draftOf(id, draftFor(request)))
  const [step, setStep] = useState<'confirm' | 'deny' | 'back' | undefined>()
  const [isSending, setSending] = useState(false)
  const [trouble, setTrouble] = useState<Trouble | undefined>()
  useEffect(() => keepDraft(id, draft), [draft])
  const effect = effectWords(request.context?.side_effect ?? effectOf(here, request), here.me.service)
  const asksTwice = effect.is === 'irreversible'
  const leftMs = Date.parse(expires_at) - now
  const send = async (decide: () => Promise<Asked<unknown>>): Promise<void> => {
    setSending(true)
    setTrouble(undefined)
    const decided = await decide()
    setSending(false)
    setStep(undefined)
    if (decided.ok) dropDraft(id)
    else setTrouble(decided.trouble)
    // Whoever was first is on the page when it is read again: the second learns it there.
    if (decided.ok || decided.trouble.type === 'approval_request_closed') {
      here.pending.read()
      onDecided()
    }
  }
  const grant = (): void => void send(() => approve(id, termsOf(request, draft), draft.reason))
  const onApprove = (): void => {
    if (isSending || leftMs <= 0) return
    if (asksTwice) setStep('confirm')
    else grant()
  }
  const onDeny = (): void => {
    if (!isSending) setStep('deny')
  }
  const onSendBack = (): void => {
    if (!isSending) setStep('back')
  }
  const sendQuestion = (question: string) => send(() => sendBack(id, question))
  const not = whyNot(here, request)
  useKeys(not === undefined ? { a: onApprove, q: onSendBack, r: onDeny } : {})
  const words = approveWords(draft.isSession, draft.uses, asksTwice, isSending)
  const buttons = markup`
    <div class="buttons">
      <button class="btn" data-kind="deny" onClick=${onDeny}>Deny… <kbd>R</kbd></button>
      <button class="btn" data-kind="approve" aria-disabled=${isSending} onClick=${onApprove}>
        ${words} <kbd>A</kbd>
      </button>
    </div>
  `
  return markup`
    <section class="panel decide" aria-labelledby="decision">
      <div class="clock">
        <h2 id="decision">Your decision</h2>
        <span class=${leftMs >= 3_600_000 ? 'long' : undefined}
          ><span class="num" role="timer">${countdown(leftMs)}</span> <span class="muted small">left</span></span
        >
      </div>
      <p class="small muted">
        Until <time datetime=${expires_at}>${both(Date.parse(expires_at), now)}</time>. It expires if nobody decides.
      </p>
      <${TimeSpoken} leftMs=${leftMs} />
      <${Quorum} request=${request} me=${here.person.principal} />
      <hr class="rule" />
      ${trouble && markup`<${Failed} trouble=${trouble} />`}
      ${
        not === undefined
          ? markup`
              <${TermsChoice} request=${request} draft=${draft} onChange=${setDraft} />
              <div class="field">
                <label for="why">Note for the audit trail <span class="muted">(optional)</span></label>
                <textarea
                  id="why"
                  rows="2"
                  maxlength="1000"
                  value=${draft.reason}
                  onInput=${({ target }: InputEvent) => setDraft({ ...draft, reason: (target as HTMLTextAreaElement).value })}
                ></textarea>
              </div>
              ${buttons}
              <button class="btn wide gap" data-kind="quiet" onClick=${onSendBack}>Send back with a question… <kbd>Q</kbd></button>
            `
          : markup`<${MayNot} here=${here} request=${request} why=${not} onDone=${onDecided} />`
      }
    </section>
    ${
      not === undefined &&
      markup`<div class="decide-bar">
        <div class="clock">
          <span class="small"
            ><b class="strong">${request.checked_cost === undefined ? '' : `${money(request.checked_cost)} · `}</b
            >${effect.short.toLowerCase()}</span
          >
          <span class="small"><span class="num">${countdown(leftMs)}</span> left</span>
        </div>
        ${buttons}
      </div>`
    }
    ${step === 'deny' && markup`<${DenyDialog} title="Deny this request" onClose=${() => setStep(undefined)} onDeny=${(reason: string) => send(() => deny(id, reason))} />`}
    ${step === 'back' && markup`<${SendBackDialog} onClose=${() => setStep(undefined)} onSend=${sendQuestion} />`}
    ${step === 'confirm' && markup`<${ConfirmDialog} request=${request} leftMs=${leftMs} terms=${termsWords(draft)} isSending=${isSending} onClose=${() => setStep(undefined)} onConfirm=${grant} />`}
  `
}

/** The dots mean that a step follows. */
function approveWords(isSession: boolean, uses: number, asksTwice: boolean, isSending: boolean): string {
  if (isSending) return 'Approving…'
  return `${isSession ? `Approve ${uses} calls` : 'Approve once'}${asksTwice ? '…' : ''}`
}

const Failed = ({ trouble: { type, detail } }: { readonly trouble: Trouble }) => markup`
  <div class="gapdown">
    <${Notice}
      is="failed"
      icon="failed"
      role="alert"
      title=${type === 'no_answer' ? 'No answer' : 'It was not decided'}
    >
      <p>${detail}</p>
      ${type === 'authentication_required' && markup`<div class="acts"><button class="btn sm" onClick=${signInAgain}>Sign in again</button></div>`}
    <//>
  </div>
`
