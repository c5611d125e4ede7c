import { useState } from 'preact/hooks'
import { markup } from '../../markup.js'
import { Dialog } from '../../parts/dialog.js'

const REASONS = ['Wrong amount', 'Wrong recipient', 'Not now', 'Already done'] as const

interface DenyProps {
  readonly title: string
  readonly onClose: () => void
  readonly onDeny: (reason: string) => Promise<void>
}

/** Saying no takes two keys: 1 to 4 pick a reason, Enter sends. There is no default reason. */
export function DenyDialog({ title, onClose, onDeny }: DenyProps) {
  const [reason, setReason] = useState('')
  const [words, setWords] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isSending, setSending] = useState(false)
  const send = (event: Event): void => {
    event.preventDefault()
    const whole = [reason, words.trim()].filter((part) => part !== '').join(': ')
    if (whole === '') return setMissing(true)
    if (isSending) return
    setSending(true)
    void onDeny(whole).finally(() => setSending(false))
  }
  const pick = (event: KeyboardEvent): void => {
    const isTyping = event.target instanceof HTMLTextAreaElement
    if (isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    const picked = /^[1-4]$/u.test(event.key) ? REASONS[Number(event.key) - 1] : undefined
    if (picked !== undefined) setReason(picked)
    else if (event.key === 'Enter' && !(event.target instanceof HTMLButtonElement)) send(event)
  }
  return markup`
    <${Dialog} label="deny-title" onClose=${onClose}>
      <form onSubmit=${send} onKeyDown=${pick}>
        <h2 id="deny-title">${title}</h2>
        <p>Nothing runs. The agent gets your reason, and the same call stays denied for a while.</p>
        <fieldset class="gap">
          <legend>Reason</legend>
          ${REASONS.map(
            (each, index) =>
              markup` <label class="choice">
                <input
                  type="radio"
                  name="reason"
                  checked=${reason === each}
                  autofocus=${index === 0}
                  onChange=${() => setReason(each)}
                />
                <b>${each} <kbd>${index + 1}</kbd></b>
              </label>`,
          )}
        </fieldset>
        <div class="field gap">
          <label for="deny-words">In your words <span class="muted">(optional, shown to the agent)</span></label>
          <textarea
            id="deny-words"
            rows="2"
            maxlength="900"
            value=${words}
            onInput=${(event: InputEvent) => setWords((event.target as HTMLTextAreaElement).value)}
          ></textarea>
          ${isMissing && reason === '' && words.trim() === '' && markup`<p class="error-text" role="alert">Select or enter a reason.</p>`}
        </div>
        <div class="acts">
          <button class="btn wide" data-kind="deny-full" aria-disabled=${isSending}>
            ${isSending ? 'Denying…' : markup`Deny <kbd>Enter</kbd>`}
          </button>
          <button class="btn wide" type="button" onClick=${onClose}>Go back <kbd>Esc</kbd></button>
        </div>
      </form>
    <//>
  `
}
