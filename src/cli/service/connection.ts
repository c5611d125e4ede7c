/** A running service as the commands of the day reach it. */
import { connect, TransportError, type Answer, type Governance, type Registration } from '../../client/index.js'
import { RECOVERY_CLASS_OF, type ResolutionAction } from '../../protocol/failures.js'
import { wayOut } from '../../protocol/way-out.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { print, printError } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import { credentialFor } from './credential.js'

export interface ConnectionOptions {
  readonly url?: string
  readonly json?: boolean
}

/** Any service: what its own client would know of its capabilities is not known here. */
export interface AnyService extends Governance<AnyService> {}

const DEFAULT_URL = 'http://127.0.0.1:4100'

/**
 * The service at `--url` or `SVC_URL`, with the credential of `SVC_TOKEN_FILE`, `SVC_TOKEN` or the login there; never one
 * from the command line.
 */
export function serviceAt(
  { url = process.env['SVC_URL'] ?? DEFAULT_URL }: ConnectionOptions,
  known: { readonly [method: string]: Registration } = {},
): AnyService {
  if (URL.canParse(url) && new URL(url).password !== '')
    throw new CliError(
      'The address of the service holds a password. Leave it out: credentials come from SVC_TOKEN_FILE, SVC_TOKEN or svc login.',
    )
  try {
    return connect<AnyService>({ baseUrl: url, credential: () => credentialFor(url) }, known)
  } catch (error) {
    throw error instanceof TypeError ? new CliError(error.message) : error
  }
}

/**
 * Prints an answer as JSON or as lines; a failure goes to standard error, with what to do: `meant` says it where a name
 * was misspelt.
 */
export async function show<Result>(
  answer: Promise<Answer<Result>>,
  { json }: ConnectionOptions,
  lines: (result: Result) => string | Promise<string>,
  meant: () => Promise<string> = async () => '',
): Promise<ExitCode> {
  const outcome = await reached(answer)
  if (!outcome.success) return showRefused(outcome.failure, json === true, meant)
  print(json === true ? printedData(outcome.result) : printedLines(await lines(outcome.result)))
  return EXIT.ok
}

/** Failures whose cause may be a name that is misspelt. */
const NAMES_NOTHING: ReadonlySet<string> = new Set([
  'approval_request_not_found',
  'not_found',
  'scope_escalation',
  'unknown_capability',
])

/** Prints a failure, with the name that was meant, or what to do next. */
export async function showRefused(failure: Failed, json: boolean, meant: () => Promise<string>): Promise<ExitCode> {
  const near = !json && NAMES_NOTHING.has(failure.type) ? await meant() : ''
  return near === '' ? showFailure(failure, json) : showFailure(failure, json, near)
}

/** Lines of ours; what comes from the service is made printable before it is put in. */
export const printedLines = (text: string): string => `${text}\n`

/** JSON in which nothing steers the terminal: control and format characters are written as escapes. */
export const printedData = (value: unknown): string =>
  `${JSON.stringify(value, null, 2).split('\n').map(printable).join('\n')}\n`

/** A service that is not there is a fault of the user's address, not ours. */
export async function reached<Outcome>(answer: Promise<Outcome>): Promise<Outcome> {
  try {
    return await answer
  } catch (error) {
    if (error instanceof TransportError) throw new CliError(`${error.message} --url or SVC_URL names the service.`)
    throw error
  }
}

interface Failed {
  readonly type: string
  readonly detail: string
  readonly resolution: { readonly action: string }
}

/** Prints a failure, with what to do next. */
export function showFailure(
  failure: Failed,
  json: boolean,
  next: string = nextStep(failure.resolution.action),
): ExitCode {
  if (json) print(printedData({ failure }))
  else printError(printedLines(`${printable(failure.type)}: ${printable(failure.detail)}\nNext: ${next}`))
  return EXIT.findings
}

/** An action that only a newer service knows stands for itself. */
export const nextStep = (action: string): string =>
  Object.hasOwn(RECOVERY_CLASS_OF, action) ? wayOut(action as ResolutionAction) : `${printable(action)}.`
