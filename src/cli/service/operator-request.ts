import { usableAddress } from '../../client/base-url.js'
import type { Answer } from '../../client/index.js'
import { TransportError } from '../../client/transport.js'
import { ENDPOINTS, pathOf, type Operation } from '../../protocol/endpoints.js'
import type { Failure } from '../../protocol/failures.js'
import { CliError, type ExitCode } from '../cli-error.js'
import { credential, show, type ConnectionOptions } from './connection.js'

export interface OperatorAsk {
  readonly operation: Operation
  readonly segments?: { readonly [name: string]: string }
  readonly query?: { readonly [name: string]: string | undefined }
  readonly body?: object
}

const ANSWER_WITHIN_MS = 30_000

/** Asks a running service in a role, with the bootstrap credential of the environment, and prints the answer. */
export const askInRole = <Result>(
  options: ConnectionOptions,
  asked: OperatorAsk,
  lines: (result: Result) => string,
): Promise<ExitCode> => show(answerOf<Result>(options, asked), options, lines)

async function answerOf<Result>(
  options: ConnectionOptions,
  { operation, segments, query = {}, body }: OperatorAsk,
): Promise<Answer<Result>> {
  const bearer = credential()
  const url = new URL(addressOf(options) + pathOf(operation, segments))
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

function addressOf({ url = process.env['SVC_URL'] ?? 'http://127.0.0.1:4100' }: ConnectionOptions): string {
  try {
    return usableAddress(url, true, false)
  } catch (error) {
    throw new CliError((error as Error).message)
  }
}

const unreached = (error: unknown): never => {
  throw new TransportError(`The service gave no answer: ${error instanceof Error ? error.message : String(error)}.`)
}
