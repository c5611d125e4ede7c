import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { readFile } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { refuse } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import type { McpOptions } from './options.js'
import { mcpServiceOf, serverFor } from './server.js'

/** Where a delegation token is: in a file, which is read again at each call, or as it was given. */
export interface TokenPlace {
  readonly file?: string | undefined
  readonly token?: string | undefined
}

/** Answers one MCP client on a pair of streams; resolves when the client has gone. */
export async function mcpOverStdio(
  service: Service,
  options: McpOptions,
  place: TokenPlace,
  input: AsyncIterable<Uint8Array>,
  output: Writable,
): Promise<void> {
  const shared = await mcpServiceOf(service, options)
  const readable = input instanceof Readable ? input : Readable.from(input)
  const transport = new StdioServerTransport(readable, output, { maxBufferSize: service.limits.bodyBytes * 2 })
  const over = new Promise<void>((resolve) => {
    readable.once('end', resolve).once('close', resolve)
  })
  const bearer = () => tokenAt(place)
  const handle = serveStdio(({ era }) => serverFor(shared, { era, bearer, client: 'stdio' }), {
    transport,
    onerror: ({ message }) => service.log.debug('An MCP message was refused.', { error: message }),
  })
  await over
  await handle.close()
}

async function tokenAt({ file, token }: TokenPlace): Promise<string> {
  if (file === undefined)
    return token ?? refuse('authentication_required', 'Set SVC_TOKEN_FILE to a file with a delegation token.')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text?.trim() ?? refuse('authentication_required', `The token file ${file} cannot be read.`)
}
