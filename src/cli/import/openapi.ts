import {
  importOperations,
  type ImportedOperations,
  type RefusedOperation,
} from '../../compiler/openapi/import-operations.js'
import type { ApiFinding } from '../../compiler/openapi/library.js'
import type { CapabilityNames } from '../../compiler/openapi/names-of-operations.js'
import { dialectOf, apiOperationsOf, methodAndPath, type ApiOperation } from '../../compiler/openapi/operations.js'
import { fragmentOf } from '../../compiler/openapi/print-fragment.js'
import { importedSourcesOf } from '../../compiler/openapi/print-handlers.js'
import { consentOf, type ImportedConsent } from '../../compiler/openapi/consents.js'
import {
  clientPlaces,
  clientSentence,
  usedCredentials,
  valueVariables,
} from '../../compiler/openapi/used-credentials.js'
import type { Description } from '../../compiler/openapi/references.js'
import { upstreamOf, type ApiUpstream } from '../../compiler/openapi/upstream.js'
import { MOST_SCHEMA_VALUES, tooManySchemaValues } from '../../compiler/parse/schema-values.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { commentLine, settingLine } from '../shared/formats/environment.js'
import { print, printError } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import { chosenOperations, isOfGroup, operationsWithTags, type ChosenOperations } from './choose.js'
import { accountsNote } from './accounts-note.js'
import { refuseWrongName, type OpenApiOptions } from './options.js'
import { addToService, type Addition } from './project.js'
import { describedBy } from './read-description.js'

/** `svc import openapi`: chosen operations become capabilities of a service, new or there already. */
export async function importOpenApi(source: string, options: OpenApiOptions): Promise<ExitCode> {
  refuseWrongName(options.name)
  const reading = await describedBy(source)
  if ('line' in reading.root) return faulty([reading.root])
  const choose = chooseOnce(options)
  return (await reading.whole((description) => imported(description, options, choose))) ?? faulty(reading.findings())
}

/** Imports what is chosen; returns undefined if the description has findings. */
async function imported(
  description: Description,
  options: OpenApiOptions,
  choose: (operations: readonly ApiOperation[]) => Promise<ChosenOperations>,
): Promise<(() => Promise<ExitCode>) | undefined> {
  const dialect = dialectOf(description)
  if (dialect === undefined) return undefined
  const operations = apiOperationsOf(description)
  if (description.wanted.size > 0 || description.findings.length > 0) return undefined
  if (options.list) return async () => list(operationsWithTags(operations, options.tag))
  const { chosen, names } = await choose(operations)
  const upstream = upstreamOf(description, dialect, options)
  if (upstream === undefined) return undefined
  const imports = importOperations(description, dialect, upstream, chosen, names)
  const isNamed = ({ operation }: RefusedOperation): boolean => !isOfGroup(operation, options)
  const faults = imports.operations.length === 0 ? imports.refused : imports.refused.filter(isNamed)
  description.findings.push(...faults.flatMap(({ findings }) => findings))
  if (description.findings.length > 0) return undefined
  return async () => written(upstream, imports, operations.length, options)
}

async function written(
  upstream: ApiUpstream,
  imports: ImportedOperations,
  total: number,
  options: OpenApiOptions,
): Promise<ExitCode> {
  const credentials = usedCredentials(upstream, imports.operations)
  const [variables, places] = [valueVariables(credentials), clientPlaces(credentials)]
  const consent = consentOf(upstream, imports.operations)
  const addition: Addition = {
    id: upstream.id,
    title: upstream.title,
    fragment: importedFragment(upstream.id, imports, options, consent),
    sources: importedSourcesOf(upstream, imports.operations),
    environment: [
      commentLine(`The credential of ${upstream.url}: it goes there and nowhere else.`),
      ...variables.map((name) => settingLine(name, '')),
      ...places.flatMap((place) => [
        commentLine(clientSentence(place)),
        ...place.variables.map((name) => settingLine(name, '')),
      ]),
    ],
    dependencies: {},
    isDecided: false,
  }
  const added = await addToService(options.into, addition)
  const own = imports.operations.flatMap(({ name, notes }) => notes.map((note) => `${name}: ${note}`))
  print(
    `${imports.operations.length} of ${total} operations imported. Calls go to ${upstream.url} and nowhere else, ` +
      `${variables.length === 0 ? 'without a credential' : `with ${variables.join(', ')} of the environment`}.\n` +
      places.map((place) => `${printable(clientSentence(place))}\n`).join('') +
      (consent === undefined ? '' : consentNote(upstream.id, consent)) +
      section('Left out, as a manifest cannot say it:', [...own, ...imports.notes]) +
      section('Not imported:', imports.refused.map(reasonOf)) +
      added,
  )
  return EXIT.ok
}

/** The fragment, as far as `svc validate` reads the schemas of one file. */
function importedFragment(
  id: string,
  imports: ImportedOperations,
  { answers }: OpenApiOptions,
  consent: ImportedConsent | undefined,
): string {
  const fragment = fragmentOf(id, imports, answers, consent)
  if (tooManySchemaValues(fragment) === undefined) return fragment
  throw new CliError(
    `The schemas of these ${imports.operations.length} operations hold more keywords and values than one file may have ` +
      `(${MOST_SCHEMA_VALUES.toLocaleString('en')}). Import fewer at once, such as by --tag, with a --name for each.`,
  )
}

/** What people and operators do about the accounts that operations act in. */
function consentNote(id: string, { connection, capabilities }: ImportedConsent): string {
  const { issuer, authorizationUrl, scopes } = connection
  return accountsNote({
    id,
    server: issuer ?? new URL(authorizationUrl!).origin,
    scopes,
    registersItself: issuer !== undefined,
    capabilities,
  })
}

const section = (title: string, lines: readonly string[]): string =>
  lines.length === 0 ? '' : `${title}\n${lines.map((line) => `  ${printable(line)}\n`).join('')}`

const reasonOf = ({ operation, findings }: RefusedOperation): string =>
  `${methodAndPath(operation)}: ${[...new Set(findings.map(({ message }) => message))].join(' ')}`

/** A person is asked once, however often the description is gone through. */
function chooseOnce(options: OpenApiOptions) {
  let made: { readonly keys: ReadonlySet<string>; readonly names: CapabilityNames } | undefined
  return async (operations: readonly ApiOperation[]): Promise<ChosenOperations> => {
    if (made === undefined) {
      const { chosen, names } = await chosenOperations(operations, options)
      made = { keys: new Set(chosen.map(methodAndPath)), names }
    }
    const { keys, names } = made
    return { chosen: operations.filter((each) => keys.has(methodAndPath(each))), names }
  }
}

function list(operations: readonly ApiOperation[]): ExitCode {
  const lines = operations.map(({ id, method, path, tags, summary }) =>
    printable(`${id}  ${method.toUpperCase()} ${path}  [${tags.join(', ')}]  ${summary}`),
  )
  print(`${lines.map((line) => `${line}\n`).join('')}${operations.length} operations.\n`)
  return EXIT.ok
}

/** The faults of a document, each with its place. */
function faulty(findings: readonly ApiFinding[]): ExitCode {
  const lines = findings.map(({ file, line, column, pointer, message }) =>
    printable(`${file}:${line}:${column} error ${pointer === '' ? '' : `${pointer}: `}${message}`),
  )
  printError(`${lines.join('\n')}\nNothing was written.\n`)
  return EXIT.findings
}
