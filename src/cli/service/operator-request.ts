import type { Answer } from '../../client/index.js'
import { ENDPOINTS, pathOf, type Operation } from '../../protocol/endpoints.js'
import type { Failure } from '../../protocol/failures.js'
import type { ExitCode } from '../shared/errors/cli-error.js'
import { credentialFor } from './credential.js'
import { show, type ConnectionOptions } from './connection.js'
import { addressOf, unreached } from './read-from-service.js'

export interface OperatorAsk {
  readonly operation: Operation
  readonly segments?: { readonly [name: string]: string }
  readonly query?: { readonly [name: string]: string | undefined }
  readonly body?: object
}

const ANSWER_WITHIN_MS = 30_000

/** Asks a running service in a role, with a bootstrap credential, and prints the answer. */
export const askInRole = <Result>(
  options: ConnectionOptions,
  asked: OperatorAsk,
  lines: (result: Result) => string | Promise<string>,
  meant?: () => Promise<string>,
): Promise<ExitCode> => show(serviceAnswer<Result>(options, asked), options, lines, meant)

/** The answer of a running service to one request, with the credential of the user. */
export async function serviceAnswer<Result>(
  options: ConnectionOptions,
  { operation, segments, query = {}, body }: OperatorAsk,
): Promise<Answer<Result>> {
  const address = addressOf(options)
  const bearer = await credentialFor(address)
  const url = new URL(address + pathOf(operation, segments))
  for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value)
  const { method } = ENDPOINTS[operation]
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
    ...(method === 'POST' && { body: JSON.stringify(body ?? {}) }),
    redirect: 'error',
    signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
  }).catch((error: unknown) => unreached(error))
  const answer = (await response.json().catch((error: unknown) => unreached(error))) as { readonly failure?: Failure }
  return (
    answer.failure === undefined ? { success: true, result: answer } : { success: false, failure: answer.failure }
  ) as Answer<Result>
}
