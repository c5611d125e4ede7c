/** Converts MCP headers: over HTTP they are headers, over stdio parts of messages. */
import { isMembers, type McpMessage } from './message.js'

const VERSION_MEMBER = 'io.modelcontextprotocol/protocolVersion'

/** The revisions that say in each request which one it is of; those before agree on one when they begin. */
export const versionHeader = ({ params }: McpMessage): string | undefined => {
  const meta = params?.['_meta']
  const version = isMembers(meta) ? meta[VERSION_MEMBER] : undefined
  return typeof version === 'string' ? version : undefined
}

/** Method -> the parameter that the header `Mcp-Name` repeats. */
const NAMED_BY: { readonly [method: string]: string } = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
  'tasks/get': 'taskId',
  'tasks/update': 'taskId',
  'tasks/cancel': 'taskId',
}

/** The headers of a message; `agreed` is the revision that an earlier `initialize` ended with. */
export function mcpHeadersOf(message: McpMessage, agreed: string | undefined): { readonly [name: string]: string } {
  const version = versionHeader(message)
  const common = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' }
  if (version === undefined || message.method === undefined)
    return { ...common, ...(agreed !== undefined && { 'mcp-protocol-version': agreed }) }
  const parameter = Object.hasOwn(NAMED_BY, message.method) ? NAMED_BY[message.method] : undefined
  const name = parameter === undefined ? undefined : message.params?.[parameter]
  return {
    ...common,
    'mcp-protocol-version': headerText(version),
    'mcp-method': headerText(message.method),
    ...(typeof name === 'string' && { 'mcp-name': headerText(name) }),
  }
}

/** A text as a header can carry it: as it is, or as base64 (MCP, header value encoding). */
const headerText = (text: string): string =>
  /^[!-~](?:[ -~\t]*[!-~])?$/u.test(text) && !text.startsWith('=?base64?')
    ? text
    : `=?base64?${Buffer.from(text).toString('base64')}?=`
