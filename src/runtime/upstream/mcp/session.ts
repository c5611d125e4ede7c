import { digestOf } from '../../../crypto/json/digest.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import type { McpChannel } from './channel.js'
import { unmarked } from './marked.js'

/** A tool of an MCP server, as the server describes it. */
export interface UpstreamTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema: JsonObject | undefined
  /** What the server says of its effects: a hint, and no more. */
  readonly readOnly: boolean
  /** Answers only as a task, which the client of a service does not ask for. */
  readonly onlyAsTask?: boolean
}

const MOST_TOOLS = 1_000
const MOST_PAGES = 100
const MOST_CHARACTERS = 16 * 1024 * 1024

/** All tools of a server; more than a thousand, or more than 16 MiB of what it says of them, are refused. */
export async function listUpstreamTools(channel: McpChannel, signal: AbortSignal): Promise<readonly UpstreamTool[]> {
  const tools: UpstreamTool[] = []
  let cursor: Json | undefined
  let characters = 0
  const cursors = new Set<Json | undefined>()
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = unmarked(await channel.ask('tools/list', cursor === undefined ? {} : { cursor }, signal), Number)
    tools.push(...(Array.isArray(answer['tools']) ? (answer['tools'] as readonly Json[]).flatMap(toolIn) : []))
    characters += JSON.stringify(answer).length
    if (characters > MOST_CHARACTERS)
      throw new Error(`The server says more than ${MOST_CHARACTERS} characters of its tools.`)
    cursors.add(cursor)
    cursor = answer['nextCursor']
    // A cursor that leads back to a page ends the list.
    if (typeof cursor !== 'string' || cursors.has(cursor) || tools.length > MOST_TOOLS) break
  }
  if (tools.length > MOST_TOOLS) throw new Error(`The server has more than ${MOST_TOOLS} tools.`)
  return [...new Map(tools.map((tool) => [`${tool.name} ${upstreamToolDigest(tool)}`, tool])).values()]
}

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const textIn = (value: Json | undefined): string => (typeof value === 'string' ? value : '')

function toolIn(value: Json): readonly UpstreamTool[] {
  if (!isObject(value) || textIn(value['name']) === '' || textIn(value['name']).length > 128) return []
  const annotations = isObject(value['annotations']) ? value['annotations'] : {}
  const execution = isObject(value['execution']) ? value['execution'] : {}
  return [
    {
      name: textIn(value['name']),
      title: textIn(value['title']) || textIn(annotations['title']),
      description: textIn(value['description']),
      inputSchema: isObject(value['inputSchema']) ? value['inputSchema'] : {},
      outputSchema: isObject(value['outputSchema']) ? value['outputSchema'] : undefined,
      readOnly: annotations['readOnlyHint'] === true,
      ...(execution['taskSupport'] === 'required' && { onlyAsTask: true }),
    },
  ]
}

/** What a person accepts of a tool: its name, its description and its schemas. */
export const upstreamToolDigest = ({ name, description, inputSchema, outputSchema }: UpstreamTool): string =>
  digestOf({ name, description, inputSchema, outputSchema: outputSchema ?? null })
