import { beginSession, childChannel, httpChannel, toolsOf, type UpstreamTool } from '../../runtime/upstream/index.js'
import { CliError } from '../cli-error.js'
import type { FoundServer } from './find-server.js'

const TIMEOUT_MS = 30_000

/** The tools of a server, as it lists them now. */
export async function listedTools({ name, server, home }: FoundServer): Promise<readonly UpstreamTool[]> {
  const channel =
    'url' in server
      ? httpChannel(server, process.env[server.credential])
      : childChannel(server, process.env, () => undefined, home)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    await beginSession(channel, signal)
    return await toolsOf(channel, signal)
  } catch (error) {
    throw new CliError(`${name} does not list its tools: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    channel.close()
  }
}
