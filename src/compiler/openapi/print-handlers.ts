import { readAs } from '../../protocol/upstream-requests.js'
import { identifierOf, typeNameOf } from '../names.js'
import { nameText, stringText } from '../print/text.js'
import { printBlock, printComment, printList, printModule, type Writer } from '../print/typescript.js'
import { exportLineOf, handlerPathOf } from '../targets/drafts.js'
import type { ImportedOperation } from './import-operations.js'
import { pathSent, querySent } from './operations.js'
import {
  usedCredentials,
  clientPlaces,
  clientSentence,
  isSame,
  securityText,
  urlVariable,
  valueVariables,
  type UsedCredential,
} from './used-credentials.js'
import type { ApiUpstream } from './upstream.js'

export interface SourceFile {
  readonly path: string
  readonly text: string
}

/** Environment that generated code reads: the service's, not the compiler's. */
export const ENVIRONMENT = 'process.env'

/** `source_host` -> `sourceHost`, as a constant that no handler has. */
export const constantOf = (id: string): string => identifierOf(`${id}_upstream`)

/**
 * The files that call the service behind: one for its address and credential, one for each handler, and the list of
 * these.
 */
export function importedSourcesOf(
  upstream: ApiUpstream,
  operations: readonly ImportedOperation[],
): readonly SourceFile[] {
  const handlers = operations.map((each) => ({ path: handlerPathOf(each), text: handlerText(upstream, each) }))
  const lines = operations.map(({ name }) => `${exportLineOf({ name, identifier: identifierOf(name) })}\n`)
  return [
    { path: `src/${upstream.id}.ts`, text: upstreamText(upstream, operations) },
    ...handlers,
    { path: 'src/handlers/index.ts', text: lines.toSorted().join('') },
  ]
}

function upstreamText(upstream: ApiUpstream, operations: readonly ImportedOperation[]): string {
  const { id, title, url, security } = upstream
  const credentials = usedCredentials(upstream, operations)
  const sentences = [credentialSentence(valueVariables(credentials)), ...clientPlaces(credentials).map(clientSentence)]
  return printModule([], (writer) => {
    writer.writeLine("import { httpUpstream } from 'svc-kit/upstream'")
    writer.blankLineIfLastNot()
    printComment(writer, [`${title}. ${sentences.join(' ')}`])
    printBlock(
      writer,
      `export const ${constantOf(id)} = httpUpstream(${stringText(id)}, () => (`,
      () => {
        writer.writeLine(`url: process.env[${stringText(urlVariable(id))}] ?? ${stringText(url)},`)
        if (credentials.length === 1) return printCredential(writer, 'credential', credentials[0]!)
        if (credentials.length === 0) return
        printBlock(
          writer,
          'credentials:',
          () => credentials.forEach((each) => printCredential(writer, nameText(each.scheme), each)),
          '},',
        )
        writer.writeLine(`security: ${securityText(security.usual)},`)
      },
      '}))',
    )
  })
}

const credentialSentence = (names: readonly string[]): string =>
  names.length === 0
    ? 'It demands no credential.'
    : `Its credential is ${names.join(', ')} of the environment, and goes to this address only.`

function printCredential(writer: Writer, member: string, { sent, variables, connection }: UsedCredential): void {
  const [value, clientId, clientSecret] = variables.map(inEnvironment)
  const scheme = sent.scheme === undefined ? '' : ` scheme: ${stringText(sent.scheme)},`
  const { client } = sent
  if (client === undefined && connection === undefined)
    return writer.writeLine(
      `${member}: { in: ${stringText(sent.in)}, name: ${stringText(sent.name)},${scheme} value: ${value} },`,
    )
  const write = (): void => {
    writer.writeLine(`in: ${stringText(sent.in)}, name: ${stringText(sent.name)},${scheme} value: ${value},`)
    if (client !== undefined) printClient(writer, 'client:', { ...client }, [clientId, clientSecret])
    if (connection === undefined) return
    const { variables: own, scopes, ...places } = connection
    printClient(writer, 'connection:', { ...places, scopes }, own.map(inEnvironment))
  }
  printBlock(writer, `${member}:`, write, '},')
}

const inEnvironment = (name: string): string => `process.env[${stringText(name)}]`

function printClient(
  writer: Writer,
  member: string,
  places: { readonly [name: string]: string | readonly string[] },
  [clientId, clientSecret]: readonly (string | undefined)[],
): void {
  const write = (): void => {
    for (const [name, value] of Object.entries(places)) {
      const text = typeof value === 'string' ? stringText(value) : undefined
      if (text === undefined) printList(writer, `${name}: [`, [...value].map(stringText), '],')
      else writer.writeLine(`${name}: ${text},`)
    }
    writer.writeLine(`clientId: ${clientId},`)
    writer.writeLine(`clientSecret: ${clientSecret},`)
  }
  printBlock(writer, member, write, '},')
}

function handlerText({ id, security }: ApiUpstream, imported: ImportedOperation): string {
  const { name, operation, title, inputs, output, answers, accept } = imported
  const type = typeNameOf(name)
  return printModule([], (writer) => {
    writer.writeLine(`import type { ${type}Handler } from '../../generated/handlers.js'`)
    writer.writeLine(`import { ${constantOf(id)} } from ${stringText(`../${id}.js`)}`)
    writer.blankLineIfLastNot()
    printComment(writer, [`${title === '' ? name : title}.`])
    writer.writeLine(`export const ${nameText(identifierOf(name))}: ${type}Handler = (input, context) =>`)
    writer.indent(() => {
      writer.writeLine(`${constantOf(id)}.call(`)
      writer.indent(() => {
        writer.writeLine('{')
        writer.indent(() => {
          writer.writeLine(`method: ${stringText(operation.method.toUpperCase())},`)
          writer.writeLine(`path: ${stringText(pathSent(operation))},`)
          if (querySent(operation) !== '') writer.writeLine(`query: ${stringText(querySent(operation))},`)
          printPlaces(writer, inputs)
          printBody(writer, imported)
          if (accept !== 'application/json') writer.writeLine(`accept: ${stringText(accept)},`)
          printOutput(writer, output, answers)
          printAnswers(writer, answers)
          if (!isSame(imported.security, security.usual))
            writer.writeLine(`security: ${securityText(imported.security)},`)
        })
        writer.writeLine('},')
        writer.writeLine('input,')
        writer.writeLine('context,')
      })
      writer.writeLine(')')
    })
  })
}

function printPlaces(writer: Writer, inputs: ImportedOperation['inputs']): void {
  if (inputs.length === 0) return writer.writeLine('inputs: {},')
  printBlock(
    writer,
    'inputs:',
    () => {
      for (const { name, in: place, wire, how = {} } of inputs) {
        const more = Object.entries(how).map(([key, value]) => `, ${key}: ${literal(value)}`)
        writer.writeLine(`${nameText(name)}: { in: ${stringText(place)}, name: ${stringText(wire)}${more.join('')} },`)
      }
    },
    '},',
  )
}

const literal = (value: string | boolean): string => (typeof value === 'string' ? stringText(value) : String(value))

function printBody(writer: Writer, { body }: ImportedOperation): void {
  if (body === undefined) return
  const { type, as, required } = body
  writer.writeLine(`body: { type: ${stringText(type)}, as: ${stringText(as)}${required ? ', required: true' : ''} },`)
}

function printAnswers(writer: Writer, answers: ImportedOperation['answers']): void {
  const members = Object.entries(answers).map(
    ([status, types]) => `${nameText(status)}: [${types.map(stringText).join(', ')}]`,
  )
  if (members.length > 0) writer.writeLine(`answers: { ${members.join(', ')} },`)
}

/** Holds for a text that may come as itself, or as JSON: which of them it is, its media type says. */
const isText = (output: ImportedOperation['output'], answers: ImportedOperation['answers']): boolean => {
  const types = Object.values(answers).flat()
  const takes = (as: 'json' | 'text'): boolean => types.some((type) => readAs(type) === as || type.startsWith('*/*'))
  return output.kind === 'value' && TEXTS.has(output.flat.type) && takes('json') && takes('text')
}

const TEXTS: ReadonlySet<string> = new Set(['string', 'date', 'datetime', 'duration', 'uri', 'email', 'uuid'])

function printOutput(writer: Writer, output: ImportedOperation['output'], answers: ImportedOperation['answers']): void {
  if (output.kind !== 'members') {
    const isLocated = output.kind === 'status' && output.location
    const more = isLocated ? ', location: true' : isText(output, answers) ? ', text: true' : ''
    return writer.writeLine(`output: { as: ${stringText(output.kind)}${more} },`)
  }
  const { fields } = output
  const renamed = fields.filter(({ name, wire }) => name !== wire)
  printBlock(
    writer,
    'output:',
    () => {
      printList(
        writer,
        'members: [',
        fields.map(({ name }) => stringText(name)),
        '],',
      )
      if (renamed.length > 0)
        printBlock(
          writer,
          'renamed:',
          () => {
            for (const { name, wire } of renamed) writer.writeLine(`${nameText(name)}: ${stringText(wire)},`)
          },
          '},',
        )
    },
    '},',
  )
}
