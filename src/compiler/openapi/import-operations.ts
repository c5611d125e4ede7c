import type { JsonObject } from '../../protocol/manifest.js'
import { cleanText } from './clean-text.js'
import { clashingNames, nameWithin, type CapabilityNames } from './names-of-operations.js'
import { pathSent, querySent, type ApiOperation, type ApiDialect } from './operations.js'
import { FAULTS } from './faults.js'
import { NOTES, notesAt, type NoteText } from './notes.js'
import type { ApiFinding } from './library.js'
import { importedAnswerOf, type ImportedAnswer, type ImportedOutput } from './output.js'
import type { ImportedBody, ImportedInput } from './inputs.js'
import { importedInputsOf } from './parameters.js'
import { noteFault, textAt, type Description } from './references.js'
import type { ImportedType } from './schemas.js'
import { scopesFor, securityFor, type Security } from './security.js'
import { faultsBehind, settledSchemas } from './settle-schemas.js'
import { makeShared, newStructures, type Importing } from './structures.js'
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
  /** Scopes that it demands of each scheme. */
  readonly scopes: ReadonlyMap<string, readonly string[]>
  /** The credentials that it demands. */
  readonly security: Security
  /** Details that the flat types of a manifest cannot carry, field by field, and parts removed from texts. */
  readonly notes: readonly NoteText[]
}

/** The operations, and the schemas that they share. */
export interface ImportedOperations {
  readonly operations: readonly ImportedOperation[]
  /** Operations that cannot be imported, with the reasons. */
  readonly refused: readonly RefusedOperation[]
  /** `x-schemas` */
  readonly schemas: JsonObject
  /** Details that the schemas lack. */
  readonly notes: readonly NoteText[]
}

export interface RefusedOperation {
  readonly operation: ApiOperation
  readonly findings: readonly ApiFinding[]
}

/** The chosen operations, each with its findings; `names` are those that a person has given, by method and path. */
export function importOperations(
  description: Description,
  dialect: ApiDialect,
  upstream: ApiUpstream,
  chosen: readonly ApiOperation[],
  names: CapabilityNames = new Map(),
): ImportedOperations {
  const importing: Importing = { ...description, structures: newStructures(upstream.id), direction: 'request' }
  const clashes = clashingNames(chosen, names)
  const attempts = chosen.map((operation) => {
    const own = { ...importing, findings: [] as ApiFinding[] }
    servedElsewhere(own, upstream, operation)
    refuseOtherPath(own, operation)
    const clash = clashes.get(operation)
    if (clash !== undefined) noteFault(own, operation.at, FAULTS.clash.says(clash))
    const security = securityFor(own, upstream.security, operation)
    return {
      own,
      made: {
        ...imported(own, dialect, operation, nameWithin(operation, names)),
        scopes: scopesFor(own, operation),
        security,
      },
    }
  })
  if (description.wanted.size === 0) makeShared(importing)
  // Another document is read first, and all is done again.
  if (description.wanted.size > 0) return { operations: [], refused: [], schemas: {}, notes: [] }
  const judged = attempts.map(({ own, made }) => ({
    made,
    findings: [...own.findings, ...faultsBehind(own, valuesOf(made))],
  }))
  const refused = judged.filter(({ findings }) => findings.length > 0)
  return {
    ...settled(
      importing,
      judged.filter(({ findings }) => findings.length === 0).map(({ made }) => made),
    ),
    refused: refused.map(({ made, findings }) => ({ operation: made.operation, findings })),
  }
}

function refuseOtherPath(description: Description, operation: ApiOperation): void {
  const sent = pathSent(operation)
  const isQuery = /^[\w.~!$&'()*+,;=:@/%-]*$/u.test(querySent(operation))
  if (isQuery && sent.startsWith('/') && !/[\\\s]|(?:^|\/)\.{1,2}(?:\/|$)/u.test(sent)) return
  noteFault(description, operation.pathItem, FAULTS.path.says(JSON.stringify(operation.path)))
}

const valuesOf = ({ inputs, output }: ImportedOperation): readonly ImportedType[] => [
  ...inputs.map(({ flat }) => flat),
  ...flatsOf(output),
]

/** The operations once all is known that their schemas refer to. */
function settled(importing: Importing, operations: readonly ImportedOperation[]): Omit<ImportedOperations, 'refused'> {
  const { schemas, fields, notes } = settledSchemas(importing, operations.flatMap(valuesOf))
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
function notesOf(inputs: readonly ImportedInput[], output: ImportedOutput): readonly NoteText[] {
  const given = inputs.flatMap(({ name, flat }) => [
    ...notesAt(name, flat.notCarried),
    ...(flat.nullable ? notesAt(name, [NOTES.null.says()]) : []),
  ])
  if (output.kind === 'status') return given
  if (output.kind !== 'members') return [...given, ...notesAt(`output.${output.kind}`, output.flat.notCarried)]
  return [
    ...given,
    ...output.notes,
    ...output.fields.flatMap(({ name, flat }) => notesAt(`output.${name}`, flat.notCarried)),
  ]
}

function imported(
  description: Importing,
  dialect: ApiDialect,
  operation: ApiOperation,
  name: string,
): Omit<ImportedOperation, 'security' | 'scopes'> {
  const { inputs, body, notes } = importedInputsOf(description, dialect, operation)
  const { output, answers, accept } = importedAnswerOf(description, dialect, operation)
  const title = cleanText(operation.summary).text.slice(0, 100).replace(/\.$/u, '')
  const about = cleanText(textAt(operation.at.value, 'description') ?? '')
  const said = [title === '' ? '' : `${title}.`, about.text].filter((text) => text !== '').join(' ')
  return {
    name,
    operation,
    title,
    description:
      said.length < 20 ? cleanText(`${said} ${operation.method.toUpperCase()} ${operation.path}`).text : said,
    inputs,
    answers,
    accept,
    ...(body && { body }),
    output,
    notes: [...about.removed.map((what) => NOTES.text.says(what)), ...notes],
  }
}
