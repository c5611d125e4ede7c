import { useEffect, useState } from 'preact/hooks'

/** Time in which nobody has read what is shown. */
const TOO_SOON_MS = 400

/** Properties of a button that ignores what comes sooner, and a key that is held. */
export function usePressGuard(press: () => void) {
  const [mayPress, setMayPress] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setMayPress(true), TOO_SOON_MS)
    return () => clearTimeout(timer)
  }, [])
  return {
    onKeyDown: (event: KeyboardEvent) => {
      if (event.repeat) event.preventDefault()
    },
    onClick: () => {
      if (mayPress) press()
    },
  }
}
