import { useState } from 'preact/hooks'
import { markup } from '../../markup.js'
import { Dialog } from '../../parts/dialog.js'
import { effectWords } from '../../words/effect.js'
import type { Shown } from './read.js'

interface ButtonProps {
  readonly shown: Shown
  readonly service: string
  readonly isCalling: boolean
  readonly onCall: () => void
}

/** Button that asks for confirmation if a call cannot be undone, unless an approver will be asked anyway. */
export function CallButton({ shown: { name, tool, capability }, service, isCalling, onCall }: ButtonProps) {
  const [isAsking, setAsking] = useState(false)
  const effect = effectWords(capability.side_effect, service)
  const asksTwice = effect.is === 'irreversible' && tool.approval !== 'always'
  const words = tool.approval === 'always' ? 'Ask to call it' : `Call it${asksTwice ? '…' : ''}`
  const press = (): void => {
    if (isCalling) return
    if (asksTwice) setAsking(true)
    else onCall()
  }
  return markup`
    <div class="full row">
      <button class="btn" data-kind="primary" type="button" aria-disabled=${isCalling} onClick=${press}>${isCalling ? 'Calling…' : words}</button>
      <span class="small muted">This makes a real call, recorded in the audit trail.</span>
    </div>
    ${
      isAsking &&
      markup`<${Dialog} label="call-title" isAlert onClose=${() => setAsking(false)}>
        <h2 id="call-title">${name} cannot be undone</h2>
        <p>It runs at once, and no capability of ${service} can undo it.</p>
        <div class="acts">
          <button
            class="btn wide"
            data-kind="irreversible"
            type="button"
            onClick=${() => {
              setAsking(false)
              onCall()
            }}
          >
            Call it for good
          </button>
          <button class="btn wide" type="button" autofocus onClick=${() => setAsking(false)}>Go back <kbd>Esc</kbd></button>
        </div>
      <//>`
    }
  `
}
