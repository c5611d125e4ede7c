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

const CONFINED =
  ' It runs confined: it opens its package and the paths among its arguments, and starts no process. Give it more ' +
  'with --path <path> or --allow <power>, such as --allow child-process.'

/** The tools of a server, as it lists them now. */
export async function upstreamTools({ name, server, place }: FoundServer): Promise<readonly UpstreamTool[]> {
  const channel =
    'url' in server
      ? httpChannel(server, process.env[server.credential])
      : childChannel(server, process.env, () => undefined, place)
  const signal = AbortSignal.timeout(TIMEOUT_MS)
  try {
    await beginUpstreamSession(channel, signal)
    return await listUpstreamTools(channel, signal)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    throw new CliError(`${name} does not list its tools: ${why}${'url' in server ? '' : CONFINED}`)
  } finally {
    channel.close()
  }
}
