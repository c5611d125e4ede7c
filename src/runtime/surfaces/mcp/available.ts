import { tokenOf } from '../../auth/token.js'
import { permissionsOf } from '../../call/permissions.js'
import type { McpConnection } from './connection.js'

/** The capabilities that the caller's token may call, as the permissions evaluator says. */
export async function availableTo({ service, token, bearer }: McpConnection): Promise<ReadonlySet<string>> {
  const read = token ?? (await tokenOf(service, await bearer()))
  return new Set(permissionsOf(service, read).available.map(({ capability }) => capability))
}
