import { resolve } from 'node:path'
import type { TokenRequest, TokenResponse } from '../../protocol/token.js'
import { claimsToBeDelegation } from '../../runtime/credentials/bearer.js'
import { isPrincipal } from '../../protocol/principals.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { print, printError } from '../shared/output/print.js'
import { replaceFile } from '../shared/files/replace-file.js'
import { credentialFor } from '../service/credential.js'
import { didYouMean } from '../service/meant.js'
import { addressOf } from '../service/read-from-service.js'
import { printedData, reached, serviceAt, show, showRefused, type ConnectionOptions } from '../service/connection.js'

export interface IssueOptions extends ConnectionOptions {
  readonly scope: readonly string[]
  readonly subject?: string
  readonly budget?: string
  readonly cumulative: boolean
  readonly capability?: string
  readonly task?: string
  readonly session?: string
  readonly ttlHours?: string
  readonly out?: string
}

/** `svc token issue`: the token on standard output, or in a file of one's own. */
export async function printNewToken(options: IssueOptions): Promise<ExitCode> {
  const issued = await reached(serviceAt(options).delegate(askedToken(options)))
  if (!issued.success) return showRefused(issued.failure, options.json === true, () => meantOf(options))
  const { token } = issued
  if (options.out !== undefined) {
    await replaceFile(resolve(options.out), `${token.token}\n`, 0o600)
    printError(`${options.out}: ${summaryOf(token)}\n`)
    return EXIT.ok
  }
  print(options.json === true ? printedData(token) : `${token.token}\n`)
  if (options.json !== true) printError(`${summaryOf(token)}\n`)
  return EXIT.ok
}

/** The capability or the scope that was meant. */
async function meantOf(options: IssueOptions): Promise<string> {
  const { scope, capability } = options
  const asked = [
    ...(capability === undefined ? [] : [didYouMean(options, 'capability', capability)]),
    ...scope.map((each) => didYouMean(options, 'scope', each)),
  ]
  return (await Promise.all(asked)).filter((text) => text !== '').join(' ')
}

/** `svc token delegate`: only from a delegation token; a bootstrap credential would give a root token. */
export async function delegateToken(options: IssueOptions): Promise<ExitCode> {
  if (claimsToBeDelegation(await credentialFor(addressOf(options)))) return printNewToken(options)
  throw new CliError('Not a delegation token. To get one, run svc token issue.')
}

const summaryOf = ({ token_id, expires_at }: TokenResponse): string => `${token_id}, until ${expires_at}`

/** Converts the options of a command to a token request. */
export function askedToken(options: Omit<IssueOptions, keyof ConnectionOptions | 'out'>): TokenRequest {
  const { scope, subject, budget, cumulative, capability, task, session, ttlHours } = options
  if (subject !== undefined && !isPrincipal(subject))
    throw new CliError(`--subject takes a principal such as agent:planner, found ${JSON.stringify(subject)}.`)
  return {
    scope,
    ...(subject !== undefined && { subject }),
    ...(budget !== undefined && {
      budget: { ...budgetIn(budget), ...(cumulative && { mode: 'cumulative' as const }) },
    }),
    ...(capability !== undefined && { capability }),
    ...(task !== undefined && { purpose_parameters: { task_id: task } }),
    ...(session !== undefined && { session_id: session }),
    ...(ttlHours !== undefined && { ttl_hours: hoursIn(ttlHours) }),
  }
}

function budgetIn(text: string): { readonly currency: string; readonly max_amount: number } {
  const [, amount, currency] = /^(\d+(?:\.\d+)?):([A-Z]{3})$/u.exec(text) ?? []
  if (amount !== undefined && currency !== undefined) return { currency, max_amount: Number(amount) }
  throw new CliError(`--budget takes an amount and a currency, as 500:EUR, found ${JSON.stringify(text)}.`)
}

function hoursIn(text: string): number {
  if (/^\d+(?:\.\d+)?$/u.test(text) && Number(text) > 0) return Number(text)
  throw new CliError(`--ttl-hours takes hours above 0, found ${JSON.stringify(text)}.`)
}

/** `svc token inspect`: what a token claims. */
export async function inspect(): Promise<ExitCode> {
  const [, payload = ''] = (await credentialFor(addressOf({}))).split('.')
  try {
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as { readonly exp?: unknown }
    print(printedData(claims))
    if (typeof claims.exp === 'number') printError(`Valid until ${new Date(claims.exp * 1000).toISOString()}.\n`)
    return EXIT.ok
  } catch {
    throw new CliError('The credential is no delegation token: only a JWT says what it is for.')
  }
}

/** `svc token revoke`. */
export const revokeToken = (id: string, options: ConnectionOptions): Promise<ExitCode> =>
  show(serviceAt(options).revoke(id), options, ({ token_id, descendants }) =>
    descendants === 0 ? `Revoked ${token_id}.` : `Revoked ${token_id}, and ${descendants} below it.`,
  )
