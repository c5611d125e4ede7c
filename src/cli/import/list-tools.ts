import {
  beginUpstreamSession,
  childChannel,
  httpChannel,
  listUpstreamTools,
  type UpstreamTool,
} from '../../runtime/upstream/index.js'
import { CliError } from '../cli-error.js'
import type { FoundServer } from './find-server.js'

const TIMEOUT_MS = 30_000

/** The tools of a server, as it lists them now. */
export async function upstreamTools({ name, server, home }: FoundServer): Promise<readonly UpstreamTool[]> {
  const channel =
    'url' in server
      ? httpChannel(server, process.env[server.credential])
      : childChannel(server, process.env, () => undefined, home)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    await beginUpstreamSession(channel, signal)
    return await listUpstreamTools(channel, signal)
  } catch (error) {
    throw new CliError(`${name} does not list its tools: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    channel.close()
  }
}
