import { useEffect } from 'preact/hooks'

/** Key -> what it does; keys are written in lower case. */
export type Keys = { readonly [key: string]: () => void }

const OFF = 'console-keys-off'

export const areKeysOff = (): boolean => localStorage.getItem(OFF) !== null

export const switchKeys = (off: boolean): void => (off ? localStorage.setItem(OFF, '1') : localStorage.removeItem(OFF))

/** Single keys, as long as nobody types, holds a modifier, has a dialog open, or has turned them off (WCAG 2.1.4). */
export function useKeys(keys: Keys): void {
  useEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const isTyping =
        event.target instanceof Element &&
        event.target.closest('input:not([type=radio]):not([type=checkbox]), textarea, select, dialog') !== null
      if (isTyping || event.ctrlKey || event.metaKey || event.altKey || event.repeat || areKeysOff()) return
      const act = Object.hasOwn(keys, event.key.toLowerCase()) ? keys[event.key.toLowerCase()] : undefined
      if (act === undefined) return
      event.preventDefault()
      act()
    }
    addEventListener('keydown', pressed)
    return () => removeEventListener('keydown', pressed)
  })
}
