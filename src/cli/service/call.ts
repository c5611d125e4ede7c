import type { JsonObject } from '../../protocol/manifest.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { print } from '../print.js'
import { printedData, reached, serviceAt, showFailure, type ConnectionOptions } from './connection.js'

export interface CallCommandOptions extends ConnectionOptions {
  readonly waitApproval: boolean
  readonly task?: string
  readonly idempotencyKey?: string
}

/** `svc call`: the result on standard output, a refusal on standard error. */
export async function callCapability(
  capability: string,
  inputs: readonly string[],
  options: CallCommandOptions,
): Promise<ExitCode> {
  const { waitApproval, task, idempotencyKey, json } = options
  const outcome = await reached(
    serviceAt(options).invoke(capability, givenParameters(inputs), {
      ...(waitApproval && { approval: 'wait' as const }),
      ...(task !== undefined && { task_id: task }),
      ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
    }),
  )
  if (outcome.success) {
    print(printedData(json === true ? outcome : outcome.result))
    return EXIT.ok
  }
  const code = showFailure(outcome.failure, json === true)
  if (outcome.failure.type !== 'approval_required') return code
  const { approval_request_id: id } = outcome.failure as { readonly approval_request_id?: string }
  if (json !== true)
    process.stderr.write(`Request ${id ?? 'unknown'}: make the same call again after it is approved.\n`)
  return EXIT.needsApproval
}

/** `name=text` and `name:=JSON`. */
export const givenParameters = (inputs: readonly string[]): JsonObject => Object.fromEntries(inputs.map(inputIn))

function inputIn(text: string): [string, JsonObject[string]] {
  const [, name, isJson, value] = /^([^:=]+)(:?)=(.*)$/su.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new CliError(`An input is name=text or name:=JSON, found ${JSON.stringify(text)}.`)
  if (isJson === '') return [name, value]
  try {
    return [name, JSON.parse(value) as JsonObject[string]]
  } catch {
    throw new CliError(`The value of ${name} is not JSON: ${value}. Text is given as ${name}=text.`)
  }
}
