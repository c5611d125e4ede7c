/** Resources: what a read capability returns, at an address. Each read is a call of the capability. */
import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type ReadResourceResult,
  type Resource,
  type ResourceTemplateType,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { isRecord } from '../../../crypto/json/kinds.js'
import type { Failure } from '../../../protocol/failures.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { toolNameOf, type Tool } from '../../../protocol/tools.js'
import type { McpConnection } from './connection.js'
import type { McpResource } from './options.js'
import { callOfAddress } from './tool-call.js'
import { availableTo } from './available.js'
import { addressIn, isTemplate } from './uri-template.js'

type ResourceContents = ReadResourceResult['contents'][number]

interface Listed {
  readonly address: string
  readonly resource: McpResource
  readonly tool: Tool
}

/** The resources that a token may read: those whose capabilities it may call. */
async function readable(connection: McpConnection): Promise<readonly Listed[]> {
  const available = await availableTo(connection)
  return Object.entries(connection.options.resources ?? {}).flatMap(([address, resource]) => {
    const tool = connection.tools.get(toolNameOf(resource.capability))
    return tool !== undefined && available.has(resource.capability) ? [{ address, resource, tool }] : []
  })
}

const told = ({ resource, tool }: Listed) => ({
  name: resource.name ?? tool.name,
  title: resource.title ?? tool.title,
  description: resource.description ?? tool.description,
  mimeType: mimeTypeOf(resource),
})

function mimeTypeOf({ mimeType, blob, text }: McpResource): string {
  if (mimeType !== undefined) return mimeType
  if (blob !== undefined) return 'application/octet-stream'
  return text === undefined ? 'application/json' : 'text/plain'
}

export const listedResources = async (connection: McpConnection): Promise<Resource[]> =>
  (await readable(connection))
    .filter(({ address }) => !isTemplate(address))
    .map((each) => ({ uri: each.address, ...told(each) }))

export const listedTemplates = async (connection: McpConnection): Promise<ResourceTemplateType[]> =>
  (await readable(connection))
    .filter(({ address }) => isTemplate(address))
    .map((each) => ({ uriTemplate: each.address, ...told(each) }))

/** The resource at an address, with the values in it; undefined where the token may read none there. */
export const resourceAt = async (connection: McpConnection, uri: string) =>
  (await readable(connection)).flatMap((each) => {
    const values = addressIn(each.address, uri)
    return values === undefined ? [] : [{ ...each, values }]
  })[0]

/** The contents at an address, by a call of the capability behind it: governed and recorded like any other. */
export async function readContents(
  connection: McpConnection,
  uri: string,
  ctx: ServerContext,
): Promise<ResourceContents> {
  const found = await resourceAt(connection, uri)
  if (found === undefined) throw new ResourceNotFoundError(uri, 'There is no such resource.')
  const answer = await callOfAddress(connection, found.tool, parametersOf(found.tool, found.values), ctx)
  if (answer.success !== true) throw refused(uri, answer)
  const contents = contentsOf(uri, found.resource, answer.result)
  const { bodyBytes: most } = connection.service.limits
  if (Buffer.byteLength('text' in contents ? contents.text : contents.blob) > most)
    throw new ProtocolError(ProtocolErrorCode.InternalError, `The resource has more than ${most} bytes.`, { uri })
  return contents
}

function refused(uri: string, { failure, invocation_id }: JsonObject): ProtocolError {
  const { detail } = failure as unknown as Failure
  return new ProtocolError(ProtocolErrorCode.InvalidRequest, detail, { uri, failure, invocation_id })
}

/** The values in an address, as the inputs' types want them; the endpoint judges them. */
function parametersOf({ input_schema }: Tool, values: ReadonlyMap<string, string>): JsonObject {
  const properties = (input_schema['properties'] ?? {}) as JsonObject
  return Object.fromEntries([...values].map(([name, value]) => [name, typed(properties[name], value)]))
}

function typed(schema: Json | undefined, value: string): Json {
  const type = isRecord(schema) ? schema['type'] : undefined
  const isNumber = (type === 'integer' || type === 'number') && /^-?\d{1,15}(?:\.\d{1,15})?$/u.test(value)
  if (isNumber) return Number(value)
  if (type === 'boolean' && (value === 'true' || value === 'false')) return value === 'true'
  return value
}

function contentsOf(uri: string, resource: McpResource, result: Json | undefined): ResourceContents {
  const { text, blob } = resource
  const about = { uri, mimeType: mimeTypeOf(resource) }
  const member = (name: string): string => {
    const value = isRecord(result) ? result[name] : undefined
    if (typeof value === 'string') return value
    throw new TypeError(`The result of ${resource.capability} has no text ${JSON.stringify(name)}.`)
  }
  if (blob !== undefined) return { ...about, blob: member(blob) }
  return { ...about, text: text === undefined ? JSON.stringify(result ?? null) : member(text) }
}
