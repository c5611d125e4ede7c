/** Servers of the official libraries over stdio, as processes of their own. */
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { startedChannel } from '../../../src/runtime/upstream/mcp/process.js'
import { listUpstreamTools } from '../../../src/runtime/upstream/mcp/session.js'

/** Starts a server of the library in a folder; returns its tools, what one of them answers, and the revision asked for. */
export async function reached(library: string, revision?: string) {
  const words = [join(import.meta.dirname, 'peer.js'), library, ...(revision === undefined ? [] : [revision])]
  const settings = { cwd: tmpdir(), env: { PATH: process.env['PATH'] } }
  let ended = (): void => undefined
  const over = new Promise<void>((done) => (ended = done))
  const channel = startedChannel([process.execPath, ...words], settings, () => undefined, () => ended()) // prettier-ignore
  onTestFinished(async () => {
    channel.close()
    await over
  })
  const signal = AbortSignal.timeout(60_000)
  await channel.begin(signal)
  const tools = await listUpstreamTools(channel, signal)
  const answer = await channel.ask('tools/call', { name: 'echo', arguments: { a: null } }, signal, () => undefined)
  return { tools: tools.map(({ name }) => name), content: answer['content'], resultType: answer['resultType'] }
}

export const ECHOED = { tools: ['echo'], content: [{ type: 'text', text: '{"a":null}' }] } as const
