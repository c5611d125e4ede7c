import { cleanText } from './clean-text.js'
import { capabilityNameOf, type ApiOperation, type ApiDialect } from './operations.js'
import { importedOutputOf, type ImportedOutput } from './output.js'
import { importedInputsOf, type ImportedInput } from './parameters.js'
import { noteFault, textAt, type Description } from './references.js'
import { servedElsewhere, type ApiUpstream } from './upstream.js'

/** An operation as a capability, with everything that a person still decides. */
export interface ImportedOperation {
  readonly name: string
  readonly operation: ApiOperation
  readonly title: string
  readonly description: string
  readonly inputs: readonly ImportedInput[]
  readonly form: boolean
  readonly output: ImportedOutput
  /** What the flat types of a manifest do not carry, field by field, and what was taken out of texts. */
  readonly notes: readonly string[]
}

/** The chosen operations; what stands in their way is among the findings of the description. */
export function importOperations(
  description: Description,
  dialect: ApiDialect,
  upstream: ApiUpstream,
  chosen: readonly ApiOperation[],
): readonly ImportedOperation[] {
  const names = new Map<string, ApiOperation>()
  return chosen.map((operation) => {
    servedElsewhere(description, upstream, operation)
    if (/[?#\\\s]|(?:^|\/)\.{1,2}(?:\/|$)/u.test(operation.path) || !operation.path.startsWith('/'))
      noteFault(description, operation.pathItem, `The path ${JSON.stringify(operation.path)} is no path below an address.`)
    const name = capabilityNameOf(operation)
    const other = names.get(name)
    if (other !== undefined) noteFault(description, operation.at, `${operation.id} and ${other.id} would both be the capability ${name}. Import one.`)
    names.set(name, operation)
    return imported(description, dialect, operation, name)
  })
} // prettier-ignore

function imported(
  description: Description,
  dialect: ApiDialect,
  operation: ApiOperation,
  name: string,
): ImportedOperation {
  const { inputs, form, notes } = importedInputsOf(description, dialect, operation)
  const output = importedOutputOf(description, dialect, operation)
  const title = cleanText(operation.summary).text.slice(0, 100).replace(/\.$/u, '')
  const about = cleanText(textAt(operation.at.value, 'description') ?? '')
  const said = [title === '' ? '' : `${title}.`, about.text].filter((text) => text !== '').join(' ')
  return {
    name,
    operation,
    title,
    description: said.length < 20 ? `${said} ${operation.method.toUpperCase()} ${operation.path}`.trim() : said,
    inputs,
    form,
    output,
    notes: [
      ...about.removed.map((what) => `description: ${what}`),
      ...notes,
      ...inputs.flatMap(({ name: input, flat }) => lost(input, flat.notCarried)),
      ...(output.kind === 'members' ? output.fields.flatMap((field) => lost(`output.${field.name}`, field.flat.notCarried)) : []),
    ],
  }
} // prettier-ignore

const lost = (field: string, keywords: readonly string[]): readonly string[] =>
  keywords.length === 0 ? [] : [`${field}: ${[...new Set(keywords)].join(', ')}`]
