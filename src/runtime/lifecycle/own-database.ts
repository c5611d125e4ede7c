import { StartUpError } from '../errors/start-up-error.js'
import type { ServiceOptions } from '../service.js'

/** Longest id that a message shows of another service: a writer of the database may have written it. */
const SHOWN = 256

/** Rejects with `StartUpError` where the database is another service's (decisions, section 20). */
export async function assertOwnDatabase({ definition, storage }: ServiceOptions): Promise<void> {
  const { id } = definition.manifest.service_identity
  const owner = await storage.belongsTo(id)
  if (owner === id) return
  throw new StartUpError(
    `The database belongs to the service ${JSON.stringify(owner.slice(0, SHOWN))}, and this service is ` +
      `${JSON.stringify(id)}. Give it a database of its own, or put the id of the manifest back.`,
  )
}
