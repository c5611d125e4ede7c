import { join, resolve } from 'node:path'
import { digestOf } from '../../crypto/json/digest.js'
import { pinnedText } from '../../compiler/mcp-tools/print-tools.js'
import { cleanText } from '../../compiler/openapi/clean-text.js'
import { upstreamToolDigest, type PinnedUpstream, type UpstreamTool } from '../../runtime/upstream/index.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { print } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import { rewriteFile } from '../shared/files/replace-file.js'
import type { McpImportOptions } from './choose-tools.js'
import { foundServer, type FoundServer } from './find-server.js'
import { upstreamTools } from './list-tools.js'
import { pinnedAt, pinnedFilesOf } from '../shared/files/pinned-files.js'

/** `svc import mcp --update`: shows which pinned tools the servers have changed, and accepts them with --yes. */
export async function updatePinned({ into, yes }: McpImportOptions): Promise<ExitCode> {
  const files = pinnedFilesOf(into)
  if (files.length === 0)
    throw new CliError(`There is no *.pinned.ts in ${join(resolve(into), 'src')}: no MCP server was imported.`)
  let open = 0
  for (const file of files) open += await updateOne(file, into, yes)
  return open === 0 ? EXIT.ok : EXIT.findings
}

/** What a pinned file says that says nothing of it. */
const STRICTEST = { confinement: 'namespaces', network: 'none' } as const

/** How many changes are left that nobody has accepted. */
async function updateOne(path: string, into: string, yes: boolean): Promise<number> {
  const pinned = pinnedAt(path)
  const { server } = pinned
  const found = serverNow(pinned, into)
  const tools = new Map((await upstreamTools(found)).map((tool) => [tool.name, tool]))
  const changes = Object.entries(pinned.tools).flatMap(([name, digest]) => changeOf(name, digest, tools.get(name)))
  const moved =
    digestOf({ ...STRICTEST, ...found.server }) === digestOf({ ...STRICTEST, ...server })
      ? []
      : [`  ${pinned.name}: the server is now ${JSON.stringify(found.server)}\n`]
  const all = [...moved, ...changes]
  if (all.length === 0) return (print(`${pinned.name}: nothing has changed.\n`), 0)
  print(`${all.map((line) => `${printable(line.slice(0, -1))}\n`).join('')}`)
  if (!yes) return (print(`Accept with: svc import mcp --update --yes\n`), all.length)
  const kept = Object.keys(pinned.tools).flatMap((name) =>
    tools.has(name) ? [[name, upstreamToolDigest(tools.get(name)!)] as const] : [],
  )
  const accepted: PinnedUpstream = { ...pinned, server: found.server, tools: Object.fromEntries(kept) }
  await rewriteFile(path, pinnedText(JSON.stringify(accepted, undefined, 2)))
  print(`${pinned.name}: accepted. Look at the capabilities of these tools, too: their inputs may have changed.\n`)
  return 0
}

/** The server as it is now, started as it was accepted. */
function serverNow({ name, server }: PinnedUpstream, into: string): FoundServer {
  if (!('package' in server)) return { name, server, place: undefined }
  const from = (text: string): string => (text.startsWith('./') ? join(resolve(into), text) : text)
  const command = [join(resolve(into), 'node_modules', server.package, server.file), ...server.args.map(from)]
  const network = [server.network ?? STRICTEST.network].flat().join(',')
  const now = foundServer(command, { ...STRICTEST, ...server, network, path: server.paths.map(from), into }, name)
  if (server.user === undefined || !('package' in now.server)) return now
  return { ...now, server: { ...now.server, user: server.user } }
}

function changeOf(name: string, digest: string, tool: UpstreamTool | undefined): readonly string[] {
  if (tool === undefined) return [`  ${name}: the server has it no more\n`]
  if (upstreamToolDigest(tool) === digest) return []
  const { text, removed } = cleanText(tool.description)
  const hidden = removed.length === 0 ? '' : ` (holds ${removed.join(', ')})`
  return [
    `  ${name}: is now described as ${JSON.stringify(text)}${hidden}, and ` +
      `takes ${JSON.stringify(tool.inputSchema).slice(0, 2000)}\n`,
  ]
}
