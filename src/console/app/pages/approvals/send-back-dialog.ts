import { useState } from 'preact/hooks'
import { markup } from '../../markup.js'
import { Dialog } from '../../parts/dialog.js'

interface SendBackProps {
  readonly onClose: () => void
  readonly onSend: (question: string) => Promise<void>
}

/** Asks the agent a question in place of a decision: Enter sends it, Esc goes back. */
export function SendBackDialog({ onClose, onSend }: SendBackProps) {
  const [question, setQuestion] = useState('')
  const [isMissing, setMissing] = useState(false)
  const [isSending, setSending] = useState(false)
  const send = (event: Event): void => {
    event.preventDefault()
    if (question.trim() === '') return setMissing(true)
    if (isSending) return
    setSending(true)
    void onSend(question.trim()).finally(() => setSending(false))
  }
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' && !event.shiftKey && !(event.target instanceof HTMLButtonElement)) send(event)
  }
  return markup`
    <${Dialog} label="back-title" onClose=${onClose}>
      <form onSubmit=${send} onKeyDown=${onKey}>
        <h2 id="back-title">Send back with a question</h2>
        <p>Nothing runs. The agent is answered once with your question, then may request it again.</p>
        <div class="field gap">
          <label for="question">Question <span class="muted">(shown to the agent)</span></label>
          <textarea
            id="question"
            rows="3"
            maxlength="1000"
            autofocus
            value=${question}
            onInput=${(event: InputEvent) => setQuestion((event.target as HTMLTextAreaElement).value)}
          ></textarea>
          ${isMissing && question.trim() === '' && markup`<p class="error-text" role="alert">Enter a question.</p>`}
        </div>
        <div class="acts">
          <button class="btn wide" aria-disabled=${isSending}>
            ${isSending ? 'Sending…' : markup`Send back <kbd>Enter</kbd>`}
          </button>
          <button class="btn wide" type="button" onClick=${onClose}>Go back <kbd>Esc</kbd></button>
        </div>
      </form>
    <//>
  `
}
