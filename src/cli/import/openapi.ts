import { importOperations } from '../../compiler/openapi/import-operations.js'
import type { ApiFinding } from '../../compiler/openapi/library.js'
import { dialectOf, apiOperationsOf, methodAndPath, type ApiOperation } from '../../compiler/openapi/operations.js'
import { fragmentOf } from '../../compiler/openapi/print-fragment.js'
import { importedSourcesOf, variablesOf } from '../../compiler/openapi/print-handlers.js'
import type { Description } from '../../compiler/openapi/references.js'
import { upstreamOf } from '../../compiler/openapi/upstream.js'
import { EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { commentLine, settingLine } from '../shared/formats/environment.js'
import { print, printError } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import { chosenOperations, operationsWithTags } from './choose.js'
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

/** Undefined where the description has findings. */
async function imported(
  description: Description,
  options: OpenApiOptions,
  choose: (operations: readonly ApiOperation[]) => Promise<readonly ApiOperation[]>,
): Promise<(() => Promise<ExitCode>) | undefined> {
  const dialect = dialectOf(description)
  if (dialect === undefined) return undefined
  const operations = apiOperationsOf(description)
  if (description.wanted.size > 0 || description.findings.length > 0) return undefined
  if (options.list) return async () => list(operationsWithTags(operations, options.tag))
  const chosen = await choose(operations)
  const upstream = upstreamOf(description, dialect, options)
  if (upstream === undefined) return undefined
  const imports = importOperations(description, dialect, upstream, chosen)
  if (description.findings.length > 0) return undefined
  const variables = variablesOf(upstream.id)
  const addition: Addition = {
    id: upstream.id,
    title: upstream.title,
    fragment: fragmentOf(upstream.id, imports),
    sources: importedSourcesOf(upstream, imports.operations),
    environment: [
      commentLine(`The credential of ${upstream.url}: it goes there and nowhere else.`),
      settingLine(variables.credential, ''),
    ],
    dependencies: {},
    isDecided: false,
  }
  return async () => {
    const added = await addToService(options.into, addition)
    const own = imports.operations.flatMap(({ name, notes }) => notes.map((note) => `  ${name}: ${note}\n`))
    const notes = [...own, ...imports.notes.map((note) => `  ${note}\n`)]
    print(
      `${imports.operations.length} of ${operations.length} operations imported. Calls go to ${upstream.url} and ` +
        `nowhere else, with ${variables.credential} of the environment.\n` +
        `${notes.length === 0 ? '' : `Left out, as a manifest cannot say it:\n${notes.map(oneLine).join('')}`}${added}`,
    )
    return EXIT.ok
  }
}

/** A person is asked once, however often the description is gone through. */
function chooseOnce(options: OpenApiOptions) {
  let chosen: ReadonlySet<string> | undefined
  return async (operations: readonly ApiOperation[]): Promise<readonly ApiOperation[]> => {
    chosen ??= new Set((await chosenOperations(operations, options)).map(methodAndPath))
    return operations.filter((each) => chosen!.has(methodAndPath(each)))
  }
}

const oneLine = (line: string): string => `${printable(line.slice(0, -1))}\n`

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
