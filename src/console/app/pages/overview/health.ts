import { useEffect, useState } from 'preact/hooks'
import type { Checkpoint } from '../../../../protocol/audit.js'
import { newestCheckpoint, readHealth, type Health } from '../../proof/read.js'

/** What everybody may know of the service: its alarms, and when the trail was signed last. */
export function useHealth(): { readonly health: Health | undefined; readonly signed: Checkpoint | undefined } {
  const [health, setHealth] = useState<Health | undefined>()
  const [signed, setSigned] = useState<Checkpoint | undefined>()
  useEffect(() => {
    void readHealth().then(setHealth)
    void newestCheckpoint().then(setSigned)
  }, [])
  return { health, signed }
}
