import {
  childChannel,
  listUpstreamTools,
  openMcpChannel,
  type McpChannel,
  type UpstreamTool,
} from '../../runtime/upstream/index.js'
import { printable } from '../shared/output/printable.js'
import { CliError } from '../shared/errors/cli-error.js'
import type { FoundServer } from './find-server.js'

const TIMEOUT_MS = 30_000

const CONFINED =
  ' It runs confined: it sees its package and the paths among its arguments, starts no process, and has no network. ' +
  'Give it more with --path <path>, --allow <power> such as child-process, or --network <hosts>.'

/** The last lines of the errors of a server, as text that hides nothing. */
async function saidBy(channel: McpChannel | undefined): Promise<string> {
  if (channel?.said === undefined) return ''
  // Its errors may come after its end.
  await new Promise((done) => setTimeout(done, 200))
  const lines = channel.said().trimEnd().split('\n').slice(-10)
  return lines.join('') === '' ? '' : `\nIts last words:\n${lines.map((line) => `  ${printable(line)}`).join('\n')}`
}

/** The tools of a server, as it lists them now; it is started as the service starts it. */
export async function upstreamTools({ name, server, place }: FoundServer): Promise<readonly UpstreamTool[]> {
  let channel: McpChannel | undefined
  try {
    channel =
      place === undefined || !('package' in server)
        ? openMcpChannel({ server }, process.env, () => undefined)
        : childChannel(server, process.env, () => undefined, place)
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    await channel.begin(signal)
    return await listUpstreamTools(channel, signal)
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    const hint = channel !== undefined && place !== undefined ? CONFINED : ''
    throw new CliError(`${name} does not list its tools: ${why}${hint}${await saidBy(channel)}`)
  } finally {
    channel?.close()
  }
}
