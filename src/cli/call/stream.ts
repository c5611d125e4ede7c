import {
  connect,
  type AnyOutcome,
  type PendingCall,
  type CallOptions,
  type Registration,
  type Streaming,
} from '../../client/index.js'
import { CliError, EXIT } from '../shared/errors/cli-error.js'
import { print, printError } from '../shared/output/print.js'
import { announced, pendingOf } from './wait.js'
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
    const pending = call.waitApproval ? pendingOf(outcome) : undefined
    if (pending === undefined) return outcome
    if (!(await isApproved(pending, options))) return reached(serviceAt(options).resume(pending))
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

/** Waits until a person has decided; then the same call continues under the grant. */
async function isApproved({ approval_request_id: id }: PendingCall, options: ConnectionOptions): Promise<boolean> {
  const { approvals } = serviceAt(options)
  const { onPending } = announced()
  for (let wait = 0; ; wait = WAIT_S) {
    const answer = await reached(approvals.read(id, { wait }))
    if (!answer.success) throw new CliError(`${printable(answer.failure.detail)}`, EXIT.findings)
    if (answer.result.status !== 'pending') return answer.result.status === 'approved'
    onPending?.(answer.result)
  }
}

const WAIT_S = 20
