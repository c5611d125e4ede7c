import type { AnyOutcome, CallOptions } from '../../client/index.js'
import { isRecord } from '../../crypto/json/kinds.js'
import type { Input, Json, JsonObject } from '../../protocol/manifest.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { print } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import { readFromDisk } from '../shared/files/read-from-disk.js'
import { knownCapability, nextOfCall, registrationOf } from './known-capability.js'
import { followCall } from './stream.js'
import { announced, pendingOf } from './wait.js'
import { typedValue } from './typed-value.js'
import {
  printedData,
  reached,
  serviceAt,
  showFailure,
  type AnyService,
  type ConnectionOptions,
} from '../service/connection.js'

export interface CallCommandOptions extends ConnectionOptions {
  readonly waitApproval: boolean
  readonly stream: boolean
  readonly task?: string
  readonly idempotencyKey?: string
}

/** `svc call`: the result on standard output, a refusal on standard error. */
export async function callCapability(
  capability: string,
  inputs: readonly string[],
  options: CallCommandOptions,
): Promise<ExitCode> {
  const { waitApproval, task, idempotencyKey, json, stream } = options
  const given = givenInputs(inputs)
  const known = await knownCapability(capability, options)
  const parameters = typedParameters(given, known.declared?.inputs)
  const called = registrationOf(capability, known)
  const request = {
    ...(task !== undefined && { task_id: task }),
    ...(idempotencyKey !== undefined && { idempotency_key: idempotencyKey }),
  }
  const outcome = stream
    ? await followCall({ called, parameters, options: request, waitApproval }, options)
    : await reached(
        callOnce(serviceAt(options, { called }), { capability, parameters, options: request, waitApproval }),
      )
  if (stream && json === true) return showLine(outcome)
  return showOutcome(outcome, json === true, (failure) => nextOfCall(capability, known, failure))
}

interface OneCall {
  readonly capability: string
  readonly parameters: JsonObject
  readonly options: CallOptions
  readonly waitApproval: boolean
}

async function callOnce(service: AnyService, call: OneCall): Promise<AnyOutcome> {
  const outcome = await service.invoke(call.capability, call.parameters, call.options)
  const pending = call.waitApproval ? pendingOf(outcome) : undefined
  return pending === undefined ? outcome : service.resume(pending, announced())
}

/** Prints the end of a streamed call as the last line of its data. */
function showLine(outcome: AnyOutcome): ExitCode {
  print(`${printable(JSON.stringify(outcome.success ? outcome : { failure: outcome.failure }))}\n`)
  if (outcome.success) return EXIT.ok
  return outcome.failure.type === 'approval_required' ? EXIT.needsApproval : EXIT.findings
}

type Failed = Extract<AnyOutcome, { success: false }>['failure']

function showOutcome(outcome: AnyOutcome, json: boolean, next: (failure: Failed) => string): ExitCode {
  if (outcome.success) {
    print(printedData(json ? outcome : outcome.result))
    return EXIT.ok
  }
  const code = showFailure(outcome.failure, json, next(outcome.failure))
  return outcome.failure.type === 'approval_required' ? EXIT.needsApproval : code
}

/** Input of a call; `isText` for one whose type the capability says. */
interface Given {
  readonly name: string
  readonly value: Json
  readonly isText?: true
}

/** Reads `name=text`, `name:=JSON`, and `@file` of a JSON object. */
export const givenInputs = (inputs: readonly string[]): readonly Given[] =>
  inputs.flatMap((text) =>
    text.startsWith('@')
      ? Object.entries(inputsOfFile(text.slice(1))).map(([name, value]) => ({ name, value }))
      : [inputIn(text)],
  )

/** Returns the parameters of a call, texts by the type of their input; of two with a name the later counts. */
export const typedParameters = (given: readonly Given[], declared: readonly Input[] = []): JsonObject =>
  Object.fromEntries(
    given.map(({ name, value, isText }) => [name, isText ? typedValue(name, String(value), declared) : value]),
  )

function inputsOfFile(file: string): JsonObject {
  try {
    const inputs = JSON.parse(readFromDisk(file)) as JsonObject
    if (isRecord(inputs)) return inputs
  } catch (error) {
    throw new CliError(`The inputs in ${printable(file)} cannot be read: ${(error as Error).message}`)
  }
  throw new CliError(`The inputs in ${printable(file)} must be one JSON object, as {"city": "Faro"}.`)
}

function inputIn(text: string): Given {
  const [, name, isJson, value] = /^([^:=]+)(:?)=(.*)$/su.exec(text) ?? []
  if (name === undefined || value === undefined)
    throw new CliError(`An input is name=text or name:=JSON, or all are in @file, found ${JSON.stringify(text)}.`)
  if (isJson === '') return { name, value, isText: true }
  try {
    return { name, value: JSON.parse(value) as Json }
  } catch {
    throw new CliError(`The value of ${name} is not JSON: ${value}. Text is given as ${name}=text.`)
  }
}
