/** Prompts of the author, whose texts take the arguments that a person types. */
import {
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ContentBlock,
  type GetPromptResult,
  type InputRequiredResult,
  type Prompt,
  type PromptMessage,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { abilitiesOf } from './abilities.js'
import type { McpConnection } from './connection.js'
import type { PromptArgument, PromptPart, McpPrompt } from './options.js'
import { readContents } from './resources.js'
import { availableTo } from './available.js'

/** Characters of an argument, and of all texts of a prompt with its arguments. */
const LONGEST_ARGUMENT = 8 * 1024
const LONGEST_PROMPT = 256 * 1024

/** The prompts that a token may use: those whose capabilities it may call. */
export async function listedPrompts(connection: McpConnection): Promise<Prompt[]> {
  const usable = await usablePrompts(connection)
  return usable.map(([name, { title, description, arguments: taken = {} }]) => ({
    name,
    ...(title !== undefined && { title }),
    description,
    arguments: Object.entries(taken).map(([argument, about]) => ({
      name: argument,
      ...(about.description !== undefined && { description: about.description }),
      required: about.required === true && about.ask === undefined,
    })),
  }))
}

export async function usablePrompts(connection: McpConnection): Promise<readonly (readonly [string, McpPrompt])[]> {
  const available = await availableTo(connection)
  return Object.entries(connection.options.prompts ?? {}).filter(([, { capabilities = [] }]) =>
    capabilities.every((each) => available.has(each)),
  )
}

export const invalid = (message: string, data?: object): ProtocolError =>
  new ProtocolError(ProtocolErrorCode.InvalidParams, message, data)

/** A prompt with its arguments. What lacks and has a question is asked for in one form, where the client can. */
export async function promptOf(
  connection: McpConnection,
  {
    name,
    arguments: given = {},
  }: { readonly name: string; readonly arguments?: { readonly [name: string]: string } | undefined },
  ctx: ServerContext,
): Promise<GetPromptResult | InputRequiredResult> {
  const prompt = (await usablePrompts(connection)).find(([each]) => each === name)?.[1]
  if (prompt === undefined) throw invalid(`There is no prompt ${JSON.stringify(name)}.`)
  const taken = Object.entries(prompt.arguments ?? {})
  const reply = inputResponse(ctx.mcpReq.inputResponses, QUESTION)
  const typed = reply.kind === 'elicit' && reply.action === 'accept' ? reply.content : undefined
  const all = { ...typed, ...given }
  const lacking = taken.filter(([each, { required }]) => required === true && !Object.hasOwn(all, each))
  const asked = lacking.filter(([, { ask }]) => ask !== undefined)
  const isAskable = asked.length > 0 && asked.length === lacking.length && reply.kind === 'missing'
  if (isAskable && abilitiesOf(connection, ctx).form)
    return inputRequired({ inputRequests: { [QUESTION]: inputRequired.elicit(formOf(asked)) } })
  if (lacking.length > 0) throw invalid(`The prompt ${name} needs ${lacking.map(([each]) => each).join(', ')}.`)
  const values = argumentsIn(name, new Map(taken), all)
  const messages: PromptMessage[] = []
  for (const part of prompt.messages)
    messages.push({ role: part.role ?? 'user', content: await contentOf(connection, part, values, ctx) })
  if (JSON.stringify(messages.map(({ content }) => ('text' in content ? content.text : ''))).length > LONGEST_PROMPT)
    throw invalid(`The prompt ${name} has more than ${LONGEST_PROMPT} characters with these arguments.`)
  return { description: prompt.description, messages }
}

/** Name of the form that asks for arguments. */
const QUESTION = 'arguments'

const formOf = (asked: readonly (readonly [string, PromptArgument])[]) => ({
  message: asked.map(([, { ask }]) => ask!).join(' '),
  requestedSchema: {
    type: 'object' as const,
    properties: Object.fromEntries(
      asked.map(([name, { description, values }]) => [
        name,
        {
          type: 'string' as const,
          ...(description !== undefined && { description }),
          ...(values && { enum: [...values] }),
        },
      ]),
    ),
    required: asked.map(([name]) => name),
  },
})

function argumentsIn(
  prompt: string,
  taken: ReadonlyMap<string, PromptArgument>,
  given: object,
): ReadonlyMap<string, string> {
  const values = new Map([...taken.keys()].map((name) => [name, '']))
  for (const [name, value] of Object.entries(given)) {
    const about = taken.get(name)
    if (about === undefined) throw invalid(`The prompt ${prompt} has no argument ${JSON.stringify(name)}.`)
    if (typeof value !== 'string' || value.length > LONGEST_ARGUMENT)
      throw invalid(`The argument ${name} must be a text of at most ${LONGEST_ARGUMENT} characters.`)
    if (about.values !== undefined && !about.values.includes(value))
      throw invalid(`The argument ${name} must be one of ${about.values.join(', ')}.`)
    values.set(name, value)
  }
  return values
}

/** Replaces each argument in one pass: a value that looks like another argument stays as it is. */
const filled = (text: string, values: ReadonlyMap<string, string>): string =>
  text.replaceAll(/\{(\w+)\}/gu, (found, name: string) => values.get(name) ?? found)

async function contentOf(
  connection: McpConnection,
  part: PromptPart,
  values: ReadonlyMap<string, string>,
  ctx: ServerContext,
): Promise<ContentBlock> {
  if ('text' in part) return { type: 'text', text: filled(part.text, values) }
  if ('resource' in part)
    return { type: 'resource', resource: await readContents(connection, filled(part.resource, values), ctx) }
  const [type, data] = 'image' in part ? (['image', part.image] as const) : (['audio', part.audio] as const)
  return { type, data: Buffer.from(data).toString('base64'), mimeType: part.mimeType }
}
