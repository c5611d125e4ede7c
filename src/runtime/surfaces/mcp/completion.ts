import type { CompleteResult } from '@modelcontextprotocol/server'
import { isRecord } from '../../../crypto/json/kinds.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { toolNameOf } from '../../../protocol/tools.js'
import type { McpConnection } from './connection.js'
import { invalid, usablePrompts } from './prompts.js'
import { listedTemplates } from './resources.js'

const MOST_VALUES = 100

interface Asked {
  readonly ref: { readonly type: string; readonly name?: string; readonly uri?: string }
  readonly argument: { readonly name: string; readonly value: string }
}

/** The closed values of an argument of a prompt, or of a variable of a template, that begin with what was typed. */
export async function completed(
  connection: McpConnection,
  { ref, argument: { name, value } }: Asked,
): Promise<CompleteResult> {
  const typed = value.toLowerCase()
  const values = (await valuesOf(connection, ref, name)).filter((each) => each.toLowerCase().startsWith(typed))
  const completion = {
    values: values.slice(0, MOST_VALUES),
    total: values.length,
    hasMore: values.length > MOST_VALUES,
  }
  return { completion }
}

async function valuesOf(connection: McpConnection, ref: Asked['ref'], name: string): Promise<readonly string[]> {
  if (ref.type === 'ref/prompt') {
    const prompt = (await usablePrompts(connection)).find(([each]) => each === ref.name)?.[1]
    if (prompt === undefined) throw invalid(`There is no prompt ${JSON.stringify(ref.name)}.`)
    return ownIn(prompt.arguments ?? {}, name)?.values ?? []
  }
  const { uri } = ref
  const isListed = (await listedTemplates(connection)).some(({ uriTemplate }) => uriTemplate === uri)
  const resource = uri === undefined || !isListed ? undefined : connection.options.resources?.[uri]
  if (resource === undefined) throw invalid(`There is no template ${JSON.stringify(uri)}.`)
  const inputs = connection.tools.get(toolNameOf(resource.capability))!.input_schema['properties'] as JsonObject
  const schema = ownIn(inputs, name)
  const choices = isRecord(schema) ? schema['enum'] : undefined
  return Array.isArray(choices) ? choices.filter((each) => typeof each === 'string') : []
}

const ownIn = <Value>(values: { readonly [name: string]: Value }, name: string): Value | undefined =>
  Object.hasOwn(values, name) ? values[name] : undefined
