import { toolFragment, toolSources } from '../../compiler/mcp-tools/print-tools.js'
import {
  toolCapabilities,
  toolCapabilityName,
  type ToolCapabilities,
} from '../../compiler/mcp-tools/tool-capability.js'
import { upstreamToolDigest, type PinnedAddress, type UpstreamTool } from '../../runtime/upstream/index.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { commentLine, settingLine } from '../shared/formats/environment.js'
import { print } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import { accountsNote } from './accounts-note.js'
import { clientVariables, withConsent, type ConsentAsked } from './consent.js'
import { chosenTools, costOfWrites, type McpImportOptions } from './choose-tools.js'
import { foundImage, foundServer, type FoundServer } from './find-server.js'
import { upstreamTools } from './list-tools.js'
import { timeLimitsIn } from './tool-time-limits.js'
import { refuseWrongName } from './options.js'
import { addToService } from './project.js'
import { updatePinned } from './update-pinned.js'

/**
 * `svc import mcp`: chosen tools of an MCP server become capabilities, each pinned to what the server says of it now.
 */
export async function importMcp(command: readonly string[], options: McpImportOptions): Promise<ExitCode> {
  if (options.update) return updatePinned(options)
  refuseWrongName(options.name)
  const { found, asked } = await withConsent(serverOf(command, options))
  const all = await upstreamTools(found)
  if (options.list) return list(all)
  const chosen = await chosenTools(all, options)
  refuseOneName(chosen.map(({ tool }) => tool.name))
  const cost = await costOfWrites(options, chosen)
  const limits = timeLimitsIn(options.timeLimit, chosen)
  const capabilities = toolCapabilities(found.name, chosen)
  const pinned = {
    name: found.name,
    server: found.server,
    tools: Object.fromEntries(chosen.map(({ tool }) => [tool.name, upstreamToolDigest(tool)])),
  }
  const { server } = found
  const added = await addToService(options.into, {
    id: found.name,
    title: found.name,
    fragment: toolFragment(found.name, capabilities, {
      cost,
      answers: options.answers,
      isPersonal: asked !== undefined,
    }),
    sources: toolSources(found.name, JSON.stringify(pinned, undefined, 2), capabilities.tools, limits),
    environment: 'url' in server ? environmentOf(server) : server.env.map((name) => commentLine(`${name}=`)),
    dependencies: dependenciesOf(server),
    isDecided: chosen.every(({ effect }) => effect !== undefined),
  })
  const what = nameOfServer(server)
  const left = [
    ...capabilities.tools.flatMap(({ name, notes: lost }) => lost.map((note) => `${name}: ${note}`)),
    ...capabilities.notes,
    ...all.filter(({ onlyAsTask }) => onlyAsTask === true).map(({ name }) => `${name}: answers only as a task`),
  ]
  const notes = left.map((note) => `${printable(`  ${note}`)}\n`)
  print(
    `${chosen.length} of ${all.length} tools imported from ${printable(what)}. Each is refused when the server changes ` +
      `it.\n${reachOf(found)}${noteOf(found, asked, capabilities)}` +
      `${notes.length === 0 ? '' : `Left out:\n${notes.join('')}`}${added}`,
  )
  return EXIT.ok
}

/** The library that reaches addresses, and its version that was tried. */
const CLIENT_LIBRARY = { '@modelcontextprotocol/client': '2.4.0' }

const dependenciesOf = (server: FoundServer['server']): { readonly [name: string]: string } =>
  'url' in server ? CLIENT_LIBRARY : 'package' in server ? { [server.package]: server.version } : {}

const nameOfServer = (server: FoundServer['server']): string =>
  'url' in server
    ? server.url
    : 'image' in server
      ? server.image
      : `${server.package} ${server.version} (${server.integrity})`

function serverOf(command: readonly string[], options: McpImportOptions): FoundServer {
  if (options.container !== undefined) return foundImage(options.container, command, options.env, options.name)
  if (command.length > 0) return foundServer(command, options, options.name)
  throw new CliError('Name the server: svc import mcp -- mcp-server-filesystem ~/docs, or an address.')
}

function environmentOf(server: PinnedAddress): readonly string[] {
  const own = [commentLine('The credential of the MCP server behind.'), settingLine(server.credential, '')]
  const clients = clientVariables(server)
  if (clients.length === 0) return own
  const about = commentLine('A registered client there, for the accounts of people.')
  return [...own, about, ...clients.map((name) => settingLine(name, ''))]
}

function noteOf({ name }: FoundServer, asked: ConsentAsked | undefined, { tools }: ToolCapabilities): string {
  if (asked === undefined) return ''
  const { issuer, scopes, further } = asked
  const capabilities = tools.map((tool) => tool.name)
  return accountsNote({ id: name, server: issuer, scopes, further, registersItself: true, capabilities })
}

/** What a child may open and do, in words. */
function reachOf({ server }: FoundServer): string {
  if ('url' in server) return ''
  if ('image' in server) return 'It runs in a container without network, and writes no file.\n'
  if (server.confinement === 'none') return 'Nothing confines it: it reaches all that the service can reach.\n'
  const paths = ['a folder of its own', ...server.paths].join(', ')
  const more = server.allow.length === 0 ? '' : ` Allowed besides: ${server.allow.join(', ')}.`
  const { network = 'none' } = server
  const hosts = typeof network === 'string' ? network : network.join(', ')
  const reach = `It reads and writes ${paths}, reads its package, and sees nothing else. Network: ${hosts}.${more}`
  return `${printable(reach)}\n`
}

function list(tools: readonly UpstreamTool[]): ExitCode {
  const lines = tools.map(({ name, title, readOnly }) =>
    printable(`${name}  ${title}${readOnly ? '  (says that it only reads)' : ''}`),
  )
  print(`${lines.map((line) => `${line}\n`).join('')}${tools.length} tools.\n`)
  return EXIT.ok
}

function refuseOneName(names: readonly string[]): void {
  const twice = names.find((name, index) => names.findIndex((each) => toolCapabilityName(each) === toolCapabilityName(name)) < index) // prettier-ignore
  if (twice !== undefined)
    throw new CliError(`Two tools would be the capability ${toolCapabilityName(twice)}. Choose one with --tool.`)
}
