import type { Json, JsonObject } from '../../protocol/manifest.js'
import { foldedMember, textOfYaml } from './yaml-text.js'

const SHORT = 100

/** `x-schema: …` of a field, at an indentation. */
export const schemaLines = (schema: JsonObject | undefined, indent: number): readonly string[] =>
  schema === undefined ? [] : memberLines('x-schema', schema, indent)

/** `x-schemas: …` of a file. */
export const sharedLines = (schemas: JsonObject): readonly string[] =>
  Object.keys(schemas).length === 0
    ? []
    : ['x-schemas:', ...Object.entries(schemas).flatMap(([name, schema]) => memberLines(name, schema, 2))]

/** A member of a block: on one line where it fits. */
export function memberLines(name: string, value: Json, indent: number): readonly string[] {
  if (typeof value === 'string') return [foldedMember(textOfYaml(name), value, indent)]
  const start = `${' '.repeat(indent)}${textOfYaml(name)}:`
  const flow = flowText(value)
  if (flow.length <= SHORT - indent || typeof value !== 'object' || value === null) return [`${start} ${flow}`]
  return [start, ...blockLines(value, indent + 2)]
}

function blockLines(value: JsonObject | readonly Json[], indent: number): readonly string[] {
  if (!Array.isArray(value)) return Object.entries(value).flatMap(([name, each]) => memberLines(name, each, indent))
  return (value as readonly Json[]).flatMap((each) => {
    const flow = flowText(each)
    if (flow.length <= SHORT - indent || typeof each !== 'object' || each === null)
      return [`${' '.repeat(indent)}- ${flow}`]
    const [first = '', ...rest] = blockLines(each as JsonObject, indent + 2)
    return [`${' '.repeat(indent)}- ${first.slice(indent + 2)}`, ...rest]
  })
}

function flowText(value: Json): string {
  if (value === null) return 'null'
  if (typeof value !== 'object') return textOfYaml(value)
  if (Array.isArray(value)) return `[${(value as readonly Json[]).map(flowText).join(', ')}]`
  const members = Object.entries(value).map(([name, each]) => `${textOfYaml(name)}: ${flowText(each)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}
