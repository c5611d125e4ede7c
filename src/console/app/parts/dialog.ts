import type { ComponentChildren } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { markup } from '../markup.js'

interface DialogProps {
  readonly label: string
  readonly isAlert?: boolean
  readonly onClose: () => void
  readonly children: ComponentChildren
}

/** Beside the facts, not over them. Escape goes back, and focus returns to what opened it. */
export function Dialog({ label, isAlert, onClose, children }: DialogProps) {
  const element = useRef<HTMLDialogElement>(null)
  // Before the next key is read: who presses R and then 3 means this dialog.
  useLayoutEffect(() => {
    const opener = document.activeElement
    const dialog = element.current
    dialog?.showModal()
    return () => {
      dialog?.close()
      if (opener instanceof HTMLElement) opener.focus()
    }
  }, [])
  return markup`
    <dialog
      class="dialog"
      ref=${element}
      role=${isAlert ? 'alertdialog' : undefined}
      aria-labelledby=${label}
      onCancel=${(event: Event) => {
        event.preventDefault()
        onClose()
      }}
    >
      ${children}
    </dialog>
  `
}
