import type { JsonObject } from '../../protocol/manifest.js'
import { cleanText } from './clean-text.js'
import { capabilityNameOf, methodAndPath, pathSent, type ApiOperation, type ApiDialect } from './operations.js'
import { importedAnswerOf, type ImportedAnswer, type ImportedOutput } from './output.js'
import type { ImportedBody, ImportedInput } from './inputs.js'
import { importedInputsOf } from './parameters.js'
import { noteFault, textAt, type Description } from './references.js'
import type { ImportedType } from './schemas.js'
import { settledSchemas } from './settle-schemas.js'
import { newStructures, type Importing } from './structures.js'
import { servedElsewhere, type ApiUpstream } from './upstream.js'

/** An operation as a capability, with everything that a person still decides. */
export interface ImportedOperation {
  readonly name: string
  readonly operation: ApiOperation
  readonly title: string
  readonly description: string
  readonly inputs: readonly ImportedInput[]
  readonly body?: ImportedBody
  readonly output: ImportedOutput
  readonly answers: ImportedAnswer['answers']
  readonly accept: string
  /** Details that the flat types of a manifest cannot carry, field by field, and parts removed from texts. */
  readonly notes: readonly string[]
}

/** The operations, and the schemas that they share. */
export interface ImportedOperations {
  readonly operations: readonly ImportedOperation[]
  /** `x-schemas` */
  readonly schemas: JsonObject
  /** Details that the schemas lack. */
  readonly notes: readonly string[]
}

/** The chosen operations; what stands in their way is among the findings of the description. */
export function importOperations(
  description: Description,
  dialect: ApiDialect,
  upstream: ApiUpstream,
  chosen: readonly ApiOperation[],
): ImportedOperations {
  const names = new Map<string, ApiOperation>()
  const importing: Importing = { ...description, structures: newStructures(upstream.id) }
  const operations = chosen.map((operation) => {
    servedElsewhere(description, upstream, operation)
    const sent = pathSent(operation)
    if (/[?\\\s]|(?:^|\/)\.{1,2}(?:\/|$)/u.test(sent) || !sent.startsWith('/'))
      noteFault(
        description,
        operation.pathItem,
        `The path ${JSON.stringify(operation.path)} is no path below an address.`,
      )
    const name = capabilityNameOf(operation)
    const other = names.get(name)
    if (other !== undefined)
      noteFault(
        description,
        operation.at,
        `${methodAndPath(other)} and ${methodAndPath(operation)} would both be the capability ${name}. Import one: ` +
          `--operation ${JSON.stringify(methodAndPath(operation))}.`,
      )
    names.set(name, operation)
    return imported(importing, dialect, operation, name)
  })
  // Another document is read first, and all is done again.
  return description.wanted.size > 0 ? { operations, schemas: {}, notes: [] } : settled(importing, operations)
}

/** The operations once all is known that their schemas refer to. */
function settled(importing: Importing, operations: readonly ImportedOperation[]): ImportedOperations {
  const flats = operations.flatMap(({ inputs, output }) => [...inputs.map(({ flat }) => flat), ...flatsOf(output)])
  const { schemas, fields, notes } = settledSchemas(importing, flats)
  const flatNow = (flat: ImportedType): ImportedType => fields.get(flat) ?? flat
  return {
    schemas,
    notes,
    operations: operations.map((operation) => {
      const inputs = operation.inputs.map((input) => ({ ...input, flat: flatNow(input.flat) }))
      const output = outputWith(operation.output, flatNow)
      return { ...operation, inputs, output, notes: [...operation.notes, ...notesOf(inputs, output)] }
    }),
  }
}

const flatsOf = (output: ImportedOutput): readonly ImportedType[] =>
  output.kind === 'status' ? [] : output.kind === 'members' ? output.fields.map(({ flat }) => flat) : [output.flat]

function outputWith(output: ImportedOutput, now: (flat: ImportedType) => ImportedType): ImportedOutput {
  if (output.kind === 'status') return output
  if (output.kind !== 'members') return { ...output, flat: now(output.flat) }
  return { ...output, fields: output.fields.map((field) => ({ ...field, flat: now(field.flat) })) }
}

/** Lists the omitted parts, field by field. */
function notesOf(inputs: readonly ImportedInput[], output: ImportedOutput): readonly string[] {
  const given = inputs.flatMap(({ name, flat }) => [
    ...lost(name, flat.notCarried),
    ...(flat.nullable ? [`${name}: null, which counts as not given`] : []),
  ])
  if (output.kind === 'status') return given
  if (output.kind !== 'members') return [...given, ...lost(`output.${output.kind}`, output.flat.notCarried)]
  return [
    ...given,
    ...output.notes,
    ...output.fields.flatMap(({ name, flat }) => lost(`output.${name}`, flat.notCarried)),
  ]
}

function imported(
  description: Importing,
  dialect: ApiDialect,
  operation: ApiOperation,
  name: string,
): ImportedOperation {
  const { inputs, body, notes } = importedInputsOf(description, dialect, operation)
  const { output, answers, accept } = importedAnswerOf(description, dialect, operation)
  const title = cleanText(operation.summary).text.slice(0, 100).replace(/\.$/u, '')
  const about = cleanText(textAt(operation.at.value, 'description') ?? '')
  const said = [title === '' ? '' : `${title}.`, about.text].filter((text) => text !== '').join(' ')
  return {
    name,
    operation,
    title,
    description: said.length < 20 ? `${said} ${operation.method.toUpperCase()} ${operation.path}`.trim() : said,
    inputs,
    answers,
    accept,
    ...(body && { body }),
    output,
    notes: [...about.removed.map((what) => `description: ${what}`), ...notes],
  }
}

const lost = (field: string, keywords: readonly string[]): readonly string[] =>
  keywords.length === 0 ? [] : [`${field}: ${[...new Set(keywords)].join(', ')}`]
