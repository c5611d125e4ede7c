import { setTimeout as sleep } from 'node:timers/promises'
import { TransportError } from '../../client/transport.js'
import { printable } from '../shared/output/printable.js'
import { printError } from '../shared/output/print.js'

const AGAIN_AFTER_MS = 1000

/** Asks until a service answers that has answered before: what follows it outlives a restart. Says once that it is away. */
export async function untilBack<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let isSaid = false; ; isSaid = true, await sleep(AGAIN_AFTER_MS)) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof TransportError)) throw error
      if (!isSaid) printError(`svc: ${printable(error.message)} It is asked again until it is back.\n`)
    }
  }
}
