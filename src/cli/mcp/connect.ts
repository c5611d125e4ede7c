import type { TokenRequest } from '../../protocol/token.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { credentialFor } from '../service/credential.js'
import { askedToken } from '../token/run.js'
import { bridge } from './bridge/bridge.js'
import { tokensFor } from './bridge/tokens.js'
import { serviceAddress } from './service-address.js'

export interface ConnectOptions {
  readonly scope?: readonly string[]
  readonly subject: string
  readonly budget?: string
  readonly cumulative: boolean
  readonly ttlHours?: string
}

/** `svc mcp connect`: answers one MCP client on the standard streams until it goes. */
export async function connectTo(url: string, options: ConnectOptions): Promise<ExitCode> {
  const baseUrl = serviceAddress(url)
  await credentialFor(baseUrl)
  const upstream = { address: `${baseUrl}/mcp`, tokens: tokensFor(baseUrl, delegationIn(options)), agreed: undefined }
  const ended = new AbortController()
  const end = () => {
    ended.abort()
    process.stdin.destroy()
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, end)
  await bridge(upstream, untilDestroyed(process.stdin), process.stdout, ended.signal)
  return EXIT.ok
}

/** Returns the token to request; undefined if the credential is already a narrow delegation token. */
function delegationIn({ scope, ...rest }: ConnectOptions): TokenRequest | undefined {
  if (scope !== undefined) return askedToken({ scope, ...rest })
  if (rest.budget === undefined && rest.ttlHours === undefined) return undefined
  throw new CliError('--budget and --ttl-hours need --scope: what the agent may do.')
}

/** A stream that is destroyed has ended; its reader need not know why. */
async function* untilDestroyed(stream: NodeJS.ReadStream): AsyncGenerator<Uint8Array> {
  try {
    yield* stream as AsyncIterable<Uint8Array>
  } catch (error) {
    if (!stream.destroyed) throw error
  }
}
