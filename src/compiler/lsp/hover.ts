import type { Diagnostic } from '../diagnostics.js'
import { valueAt, type YamlNode } from '../parse/tree.js'
import { ruleOf } from '../rules/index.js'
import type { FieldText } from '../report/fields/field-text.js'
import { fieldText } from '../report/fields/texts.js'
import { sentenceOf, type Field, type Shape } from '../shape/field.js'
import { formatOf } from '../shape/formats.js'
import { capabilityCard, memberCard } from './capability-card.js'
import { tokenAt } from './locate.js'
import type { NameKind } from './naming-rows.js'
import { capabilityNamed, mapAt } from './names.js'
import { invokedBy, namingAt, type Naming } from './namings.js'
import { shapeTitled } from './shapes.js'

/**
 * What an editor shows at an offset: the findings there with their rules, what a reference names, and what the field is
 * for. Markdown.
 */
export function hoverAt(roots: readonly YamlNode[], offset: number, found: readonly Diagnostic[]): string | undefined {
  const token = tokenAt(roots, offset)
  const field = token?.field === undefined ? undefined : describe(token.path.at(-1) ?? '', token.field, token.shape)
  const naming = namingAt(roots, offset)
  const card = naming === undefined || naming.isDeclaration ? undefined : CARDS[naming.kind]?.(roots, naming)
  const parts = [...found.map(explained), ...[card, field].filter((part) => part !== undefined)]
  return parts.length === 0 ? undefined : parts.join('\n\n---\n\n')
}

type CardOf = (roots: readonly YamlNode[], naming: Naming) => string | undefined

const capabilityOf: CardOf = (roots, { name }) => {
  const capability = capabilityNamed(roots, name)
  return capability === undefined ? undefined : capabilityCard(name, capability)
}

/** What a reference of each kind shows. */
const CARDS: { readonly [kind in NameKind]?: CardOf } = {
  capability: capabilityOf,
  step: (roots, naming) => {
    const name = invokedBy(roots, naming.owner, naming.name)
    return name === undefined ? undefined : capabilityOf(roots, { ...naming, name })
  },
  input: (roots, { owner, name }) => memberCard(name, valueOf(capabilityNamed(roots, owner), 'inputs')),
  output: (roots, { owner, name }) => memberCard(name, valueOf(mapAt(capabilityNamed(roots, owner), 'output'), 'fields')),
} // prettier-ignore

const valueOf = (map: ReturnType<typeof mapAt>, key: string): YamlNode | undefined =>
  map === undefined ? undefined : valueAt(map, key)

/** What a field of a block is for, or what one of its words does; for a proposal that is looked at. Markdown. */
export function fieldDocumentation(block: string, name: string, word?: string): string | undefined {
  const shape = shapeTitled(block)
  const field = shape?.fields[name]
  if (shape === undefined || field === undefined) return undefined
  const said = word === undefined ? undefined : fieldText(block, name)?.words?.[word]
  return said ?? describe(name, field, shape)
}

function explained({ code, slug, message }: Diagnostic): string {
  const { description, why } = ruleOf(code)
  return `**${code} ${slug}**: ${message}\n\n${[description, why].filter(Boolean).join(' ')}`
}

function describe(name: string, field: Field, shape: Shape | undefined): string | undefined {
  if (field.about === undefined) return undefined
  const needed = field.required ? ' (required)' : ''
  const choices = field.kind === 'word' ? `\n\nOne of ${field.words.map((word) => `\`${word}\``).join(', ')}.` : ''
  const format = field.kind === 'text' && field.format !== undefined ? formatOf(field.format) : undefined
  const examples = format === undefined ? (field.examples ?? []) : format.examples
  const shown =
    examples.length === 0
      ? ''
      : '\n\nFor ' +
        `example ${examples.map((each) => `\`${typeof each === 'string' ? each : JSON.stringify(each)}\``).join(', ')}.`
  return `**${name}**${needed}: ${sentenceOf(field)}${atRunTime(name, shape)}${choices}${shown}`
}

/** Each word with what happens, as the table of the reference has it. */
const wordList = (words: FieldText['words'] = {}): string =>
  Object.keys(words).length === 0
    ? ''
    : `\n\n${Object.entries(words)
        .map(([word, says]) => `- \`${word}\`: ${says}`)
        .join('\n')}`

/** What the reference says, too. */
function atRunTime(name: string, shape: Shape | undefined): string {
  const text = shape === undefined ? undefined : fieldText(shape.title, name)
  if (text === undefined) return ''
  const otherwise = text.default === undefined ? '' : ` Default: ${text.default}.`
  const worked = text.worked === undefined ? '' : `\n\nWorked example: ${text.worked}`
  return `\n\nAt run time: ${text.atRunTime}${otherwise}${worked}${wordList(text.words)}`
}
