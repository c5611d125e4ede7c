import { RESERVED_KEYS } from '../../protocol/identifiers.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { cleanText } from '../openapi/clean-text.js'
import { snakeCase } from '../openapi/operations.js'
import { freeInputName } from '../openapi/inputs.js'
import type { ApiPlace } from '../openapi/references.js'
import { flattened, type FlatSchema } from '../openapi/flatten.js'
import { importedAnswerType, importedBodyType, withNullIn, type ImportedType } from '../openapi/schemas.js'
import { faultsBehind, settledSchemas } from '../openapi/settle-schemas.js'
import { makeShared, newStructures, type Importing, type Structures } from '../openapi/structures.js'

/** A tool of an MCP server, as far as a capability is made of it. */
export interface ToolFacts {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject | undefined
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
  readonly flat: ImportedType
}

export interface ToolCapability {
  readonly name: string
  readonly tool: ToolFacts
  readonly effect: 'read' | 'write' | undefined
  readonly title: string
  readonly description: string
  readonly inputs: readonly ToolInput[]
  /** Structured output; undefined if the server does not describe any. */
  readonly structured: ImportedType | undefined
  /** Omitted parts, in words. */
  readonly notes: readonly string[]
}

export interface ToolCapabilities {
  readonly tools: readonly ToolCapability[]
  /** `x-schemas` */
  readonly schemas: JsonObject
  readonly notes: readonly string[]
}

/** Tools as capabilities: descriptions cleaned, schemas as inputs and as what is answered. */
export function toolCapabilities(upstream: string, chosen: readonly ChosenTool[]): ToolCapabilities {
  const structures = newStructures(upstream)
  const drafts = chosen.map((each) => draftOf(each, structures))
  const root = importingOf('shared', {}, structures)
  const flats = drafts.flatMap(({ inputs, structured }) => [
    ...inputs.map(({ flat }) => flat),
    ...(structured === undefined ? [] : [structured]),
  ])
  makeShared(root)
  const { schemas, fields, notes } = settledSchemas(root, flats)
  const now = (flat: ImportedType): ImportedType => fields.get(flat) ?? flat
  const tools = drafts.map((draft) => {
    const inputs = draft.inputs.map((input) => ({ ...input, flat: now(input.flat) }))
    const structured = draft.structured === undefined ? undefined : now(draft.structured)
    const lost = [
      ...inputs.flatMap(({ name, flat }) => lostOf(name, flat)),
      ...(structured === undefined ? [] : lostOf('structured', structured)),
    ]
    return { ...draft, inputs, structured, notes: [...draft.notes, ...lost] }
  })
  return { tools, schemas, notes: [...notes, ...faultsBehind(root, flats).map(({ message }) => message)] }
}

const lostOf = (name: string, { notCarried }: ImportedType): readonly string[] =>
  notCarried.length === 0 ? [] : [`${name}: ${[...new Set(notCarried)].join(', ')}`]

function draftOf({ tool, effect }: ChosenTool, structures: Structures): ToolCapability {
  const importing = importingOf(`${tool.name} (input schema)`, tool.inputSchema, structures)
  const { properties, required, more, choices, lost } = flattened(importing, [placeOf(importing)])
  const inputs: ToolInput[] = []
  for (const [wire, places] of propertiesOf(importing, properties, choices)) {
    const name = freeInputName(wire, 'tool', inputs)
    if (name !== undefined)
      inputs.push({ name, wire, required: required.has(wire), flat: importedBodyType(importing, places) })
  }
  const answering = importingOf(`${tool.name} (output schema)`, tool.outputSchema ?? {}, structures)
  const about = cleanText(tool.description)
  const name = toolCapabilityName(tool.name)
  const title = (cleanText(tool.title).text || cleanText(tool.name).text || name).slice(0, 100)
  return {
    name,
    tool,
    effect,
    title,
    description: about.text.length < 20 ? longerText(title, about.text) : about.text,
    inputs,
    structured:
      tool.outputSchema === undefined ? undefined : withNullIn(importedAnswerType(answering, [placeOf(answering)])),
    notes: [
      ...about.removed.map((what) => `description: ${what}`),
      ...[...properties.keys()]
        .filter((wire) => !inputs.some((each) => each.wire === wire))
        .map((wire) => `${wire}: its name is taken`),
      ...[...choices.map(({ word }) => word), ...lost].map((keyword) => `inputs: ${keyword}`),
      ...(more.length === 0 ? [] : ['inputs: members that have no name']),
      ...[...importing.findings, ...answering.findings].map(
        ({ pointer, message }) => `${pointer || 'schema'}: ${message}`,
      ),
    ],
  }
}

/** Inputs of a tool: its own, and those of every alternative of its schema. */
function propertiesOf(
  importing: Importing,
  own: FlatSchema['properties'],
  choices: FlatSchema['choices'],
): FlatSchema['properties'] {
  const branches = choices.flatMap((choice) => choice.branches.map((branch) => flattened(importing, [branch])))
  return new Map([...branches.flatMap(({ properties }) => [...properties]), ...own])
}

const longerText = (title: string, about: string): string =>
  [`${title}.`, about, 'A tool of another server.'].filter((text) => text !== '').join(' ')

export function toolCapabilityName(tool: string): string {
  const name = snakeCase(tool).slice(0, 100)
  return /^[a-z]/u.test(name) && !RESERVED_KEYS.has(name) ? name : `tool_${name || 'unnamed'}`
}

/** A schema of a tool stands by itself: it refers to nothing outside. */
const importingOf = (file: string, schema: JsonObject, structures: Structures): Importing => ({
  root: { file, text: JSON.stringify(schema), value: schema },
  documents: new Map(),
  wanted: new Set(),
  target: () => ({ why: 'A tool refers to nothing outside its schema.' }),
  findings: [],
  structures,
  direction: 'request',
})

const placeOf = ({ root }: Importing): ApiPlace => ({ document: root, pointer: '', value: root.value })
