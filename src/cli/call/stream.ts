import { connect, type AnyOutcome, type CallOptions, type Registration, type Streaming } from '../../client/index.js'
import { CliError, EXIT } from '../shared/errors/cli-error.js'
import { print, printError } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import { reached, serviceAt, type AnyService, type ConnectionOptions } from '../service/connection.js'
import { credentialFor } from '../service/credential.js'
import { addressOf } from '../service/read-from-service.js'

export interface StreamedCall {
  readonly called: Registration
  readonly parameters: object
  readonly options: CallOptions
  readonly waitApproval: boolean
}

interface Streams {
  readonly streaming: { readonly called: (parameters: object, options: CallOptions) => Streaming<AnyOutcome> }
}

/** Follows a call: each step on standard error, or as a line of JSON on standard output; gives how it ended. */
export async function followCall(call: StreamedCall, options: ConnectionOptions): Promise<AnyOutcome> {
  for (;;) {
    const steps = streamOf(call, options)
    await reached(printSteps(steps, options.json === true))
    const outcome = await reached(steps.outcome())
    const id = openRequest(outcome)
    if (!call.waitApproval || id === undefined || !(await isApproved(id, options))) return outcome
  }
}

function streamOf({ called, parameters, options: request }: StreamedCall, options: ConnectionOptions) {
  const url = addressOf(options)
  const client: unknown = connect<AnyService>({ baseUrl: url, credential: () => credentialFor(url) }, {
    called: { ...called, streams: true },
  } as object)
  return (client as Streams).streaming.called(parameters, request)
}

async function printSteps(steps: Streaming<AnyOutcome>, isData: boolean): Promise<void> {
  for await (const { payload, timestamp } of steps)
    if (isData) print(`${printable(JSON.stringify({ progress: payload, timestamp }))}\n`)
    else printError(`${printable(typeof payload === 'string' ? payload : JSON.stringify(payload))}\n`)
}

function openRequest(outcome: AnyOutcome): string | undefined {
  if (outcome.success || outcome.failure.type !== 'approval_required') return undefined
  const { approval_request_id, decision } = outcome.failure as {
    readonly approval_request_id?: string
    readonly decision?: object
  }
  return decision === undefined ? approval_request_id : undefined
}

const WAIT_S = 25

/** Waits until a person has decided; then the same call goes on under the grant. */
async function isApproved(id: string, options: ConnectionOptions): Promise<boolean> {
  const { approvals } = serviceAt(options)
  for (;;) {
    const answer = await reached(approvals.read(id, { wait: WAIT_S }))
    if (!answer.success) throw new CliError(`${printable(answer.failure.detail)}`, EXIT.findings)
    if (answer.result.status !== 'pending') return answer.result.status === 'approved'
  }
}
