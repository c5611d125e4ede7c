import type { FailureType } from '../protocol/failures.js'
import type { Refused } from '../client/outcome.js'
import type { Tool } from '../protocol/tools.js'
import type { ToolClient } from './options.js'

/** The service did not say which tools the token may call. */
export class ToolsUnavailable extends Error {
  override readonly name = 'ToolsUnavailable'
  /** Failure that the service returned; absent for any other response. */
  readonly failure: Refused<FailureType> | undefined

  constructor(message: string, failure?: Refused<FailureType>) {
    super(message)
    this.failure = failure
  }
}

/**
 * The tools that the client's token may call, and no others: those that the permissions of section 4.5 call available.
 */
export async function availableTools(client: ToolClient, tools: readonly Tool[]): Promise<readonly Tool[]> {
  const answer = await client.permissions()
  if (!answer.success) {
    const { type, detail } = answer.failure
    throw new ToolsUnavailable(`The service does not list the tools of this token: ${type}: ${detail}`, answer.failure)
  }
  const { available } = answer.result
  if (!Array.isArray(available))
    throw new ToolsUnavailable('The service answered permissions without a list of what is available.')
  const names = new Set(available.map((each: { readonly capability?: unknown } | null) => each?.capability))
  return tools.filter(({ capability }) => names.has(capability))
}
