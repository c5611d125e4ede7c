import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { Readable, type Writable } from 'node:stream'
import { refuse } from '../../errors/refusal.js'
import { STDIO_CLIENT } from '../../net/loopback.js'
import type { Service } from '../../service.js'
import type { McpOptions } from './options.js'
import { tokenOf } from '../../auth/token.js'
import { acceptableLines } from './acceptable-lines.js'
import { listChanges } from './list-changes.js'
import { mcpServiceOf, serverFor, type McpService } from './server.js'
import { listedTools } from './tool-list.js'
import { shellPath } from '../../../protocol/shell.js'

/** Source of a delegation token: a file, which is read again at each call, or a given text. */
export interface TokenPlace {
  readonly file?: string | undefined
  readonly token?: string | undefined
}

/** Answers one MCP client on a pair of streams; resolves when the client has gone. */
export async function mcpOverStdio(
  service: Service,
  options: McpOptions,
  given: TokenPlace,
  input: AsyncIterable<Uint8Array>,
  output: Writable,
): Promise<void> {
  const shared = await mcpServiceOf(service, options)
  // A variable of the environment that is empty says nothing.
  const place = { file: given.file || undefined, token: given.token || undefined }
  const mostBytes = service.limits.bodyBytes * 2
  const refused = (error: string): void => service.log.debug('An MCP message was refused.', { error })
  const lines = acceptableLines(input, service.limits, mostBytes, {
    answer: (line) => writtenTo(output, line),
    refused,
  })
  const readable = Readable.from(lines, { objectMode: false })
  const transport = new StdioServerTransport(readable, output, { maxBufferSize: mostBytes })
  const over = Promise.race([endOf(readable), givenUp(transport)])
  const bearer = () => tokenAt(place)
  let server: ReturnType<typeof serverFor> | undefined
  const changes = listChanges(
    place.file,
    () => namesFor(shared, bearer),
    async () => server?.sendToolListChanged(),
  )
  const onList = place.file === undefined ? undefined : changes.shown
  const handle = serveStdio(
    ({ era }) =>
      (server = serverFor(shared, {
        era,
        bearer,
        client: STDIO_CLIENT,
        session: STDIO_CLIENT,
        renewal: renewalOf(place),
        hears: true,
        ...(onList && { onList }),
      })),
    {
      transport,
      onerror: ({ message }) => refused(message),
    },
  )
  await over
  changes.stop()
  await handle.close()
}

/** A client that does not read its answers is not read either. */
async function writtenTo(output: Writable, line: string): Promise<void> {
  if (!output.write(line)) await once(output, 'drain')
}

const endOf = (readable: Readable): Promise<void> =>
  new Promise((resolve) => readable.once('end', resolve).once('close', resolve))

/** Resolves when the transport closes by itself: after a message that is too large, or where nobody reads its output. */
function givenUp(transport: StdioServerTransport): Promise<void> {
  const close = transport.close.bind(transport)
  return new Promise((resolve) => {
    transport.close = () => close().finally(resolve)
  })
}

/** The tools of the token as it is now; none where it is refused. */
async function namesFor({ service, tools }: McpService, bearer: () => Promise<string>): Promise<readonly string[]> {
  try {
    const token = await tokenOf(service, await bearer())
    return listedTools(service, [...tools.values()], token, { era: 'modern' }).map(({ name }) => name)
  } catch {
    return []
  }
}

async function tokenAt({ file, token }: TokenPlace): Promise<string> {
  if (file === undefined)
    return token ?? refuse('authentication_required', 'Set SVC_TOKEN_FILE to a file with a delegation token.')
  const text = await readFile(file, 'utf8').catch(() => undefined)
  return text?.trim() ?? refuse('authentication_required', `The token file ${file} cannot be read.`)
}

/** Returns the remedy for a refused token, for whoever configured the client. */
const renewalOf = ({ file }: TokenPlace): string =>
  file === undefined
    ? 'Set SVC_TOKEN to another delegation token, and start the client again.'
    : `Put a delegation token into ${file}: svc token issue --scope … --subject agent:… --out ${shellPath(file)}`
