import type { JsonObject } from '../../protocol/manifest.js'
import { cleanText } from '../openapi/clean-text.js'
import { snakeCase } from '../openapi/operations.js'
import { inputName } from '../openapi/parameters.js'
import type { Description, ApiPlace } from '../openapi/references.js'
import { flatTypeOf, merged, type FlatType } from '../openapi/schemas.js'

/** A tool of an MCP server, as far as a capability is made of it. */
export interface ToolFacts {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonObject
}

/** A chosen tool, and what a person has decided of it. */
export interface ChosenTool {
  readonly tool: ToolFacts
  /** Undefined: TODO. */
  readonly effect: 'read' | 'write' | undefined
}

export interface ToolInput {
  readonly name: string
  readonly wire: string
  readonly required: boolean
  readonly flat: FlatType
}

export interface ToolCapability {
  readonly name: string
  readonly tool: ToolFacts
  readonly effect: 'read' | 'write' | undefined
  readonly title: string
  readonly description: string
  readonly inputs: readonly ToolInput[]
  /** What was left out, in words. */
  readonly notes: readonly string[]
}

/** A tool as a capability: its description cleaned, its schema as inputs. */
export function toolCapability({ tool, effect }: ChosenTool): ToolCapability {
  const description = descriptionOf(tool)
  const schema: ApiPlace = { document: description.root, pointer: '', value: tool.inputSchema }
  const { properties, required } = merged(description, schema)
  const inputs: ToolInput[] = []
  for (const [wire, property] of properties) {
    const name = inputName(wire)
    if (inputs.some((each) => each.name === name) || TAKEN.has(name)) continue
    inputs.push({ name, wire, required: required.has(wire), flat: flatTypeOf(description, property) })
  }
  const about = cleanText(tool.description)
  const title = cleanText(tool.title || tool.name).text.slice(0, 100)
  return {
    name: toolCapabilityName(tool.name),
    tool,
    effect,
    title,
    description: about.text.length < 20 ? `${title}. ${about.text} A tool of another server.`.trim() : about.text,
    inputs,
    notes: [
      ...about.removed.map((what) => `description: ${what}`),
      ...[...properties.keys()].filter((wire) => !inputs.some((each) => each.wire === wire)).map((wire) => `${wire}: its name is taken`),
      ...inputs.flatMap(({ name, flat }) => (flat.notCarried.length === 0 ? [] : [`${name}: ${[...new Set(flat.notCarried)].join(', ')}`])),
      ...description.findings.map(({ pointer, message }) => `${pointer || 'schema'}: ${message}`),
    ],
  }
} // prettier-ignore

/** Names that no input may have, or that surfaces use for themselves. */
const TAKEN = new Set(['approval_grant', 'approval', 'task_id', 'client_reference_id', 'parent_invocation_id', 'upstream_service', 'idempotency_key', 'constructor', 'prototype']) // prettier-ignore

export function toolCapabilityName(tool: string): string {
  const name = snakeCase(tool).slice(0, 100)
  return /^[a-z]/u.test(name) ? name : `tool_${name || 'unnamed'}`
}

/** A schema of a tool stands by itself: it refers to nothing outside. */
const descriptionOf = ({ name, inputSchema }: ToolFacts): Description => ({
  root: { file: `${name} (input schema)`, text: JSON.stringify(inputSchema), value: inputSchema },
  documents: new Map(),
  wanted: new Set(),
  target: () => ({ why: 'A tool refers to nothing outside its schema.' }),
  findings: [],
})
