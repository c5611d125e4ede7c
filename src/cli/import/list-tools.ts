import {
  childChannel,
  listUpstreamTools,
  openMcpChannel,
  refusedPermission,
  type McpChannel,
  type UpstreamTool,
} from '../../runtime/upstream/index.js'
import { CliError } from '../shared/errors/cli-error.js'
import { consentedToken } from './consent.js'
import type { FoundServer } from './find-server.js'

const TIMEOUT_MS = 30_000

const CONFINED =
  'It runs confined: it sees its package and the paths among its arguments, starts no process, and has no network. ' +
  'Give it more with --path <path>, --allow <power> such as child-process, or --network <hosts>.'

/** Why a confined server may have ended, and the last lines of its errors. */
async function aboutEnd(channel: McpChannel | undefined, { server, place }: FoundServer): Promise<readonly string[]> {
  if (channel === undefined || place === undefined) return []
  // Its errors may come after its end.
  await new Promise((done) => setTimeout(done, 200))
  const said = channel.said?.() ?? ''
  const refused = refusedPermission(server, said)
  const lines = said.trimEnd().split('\n').slice(-10)
  const words = lines.join('') === '' ? [] : ['Its last words:', ...lines.map((line) => `  ${line}`)]
  return [...(refused === '' ? hintFor(server) : [refused]), ...words]
}

const hintFor = (server: FoundServer['server']): readonly string[] =>
  'package' in server && server.confinement !== 'none' ? [CONFINED] : []

/** The tools of a server, as it lists them now; it is started as the service starts it. */
export async function upstreamTools(found: FoundServer): Promise<readonly UpstreamTool[]> {
  const { name, server, place } = found
  const isAsked = 'url' in server && server.connection !== undefined && !process.env[server.credential]
  const consent = isAsked ? await consentedToken(name, server) : undefined
  const environment = consent && 'url' in server ? { [server.credential]: consent.token } : process.env
  let channel: McpChannel | undefined
  try {
    channel =
      place === undefined || !('package' in server)
        ? openMcpChannel({ server }, environment, () => undefined)
        : childChannel(server, process.env, () => undefined, place)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    await channel.begin(signal)
    return await listUpstreamTools(channel, signal)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CliError([`${name} does not list its tools: ${why}`, ...(await aboutEnd(channel, found))])
  } finally {
    channel?.close()
    await consent?.end().catch(() => undefined)
  }
}
