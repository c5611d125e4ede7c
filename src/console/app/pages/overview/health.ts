import { useEffect, useState } from 'preact/hooks'
import type { Checkpoint } from '../../../../protocol/audit.js'
import { newestCheckpoint, readHealth, type Health } from '../../proof/read.js'

/** Loads the public state of the service: its alarms and the time of the last checkpoint. */
export function useHealth(): { readonly health: Health | undefined; readonly signed: Checkpoint | undefined } {
  const [health, setHealth] = useState<Health | undefined>()
  const [signed, setSigned] = useState<Checkpoint | undefined>()
  useEffect(() => {
    void readHealth().then(setHealth)
    void newestCheckpoint().then(setSigned)
  }, [])
  return { health, signed }
}
