import type { Diagnostic } from '../diagnostics.js'
import type { YamlNode } from '../parse/tree.js'
import { ruleOf } from '../rules/index.js'
import type { FieldText } from '../report/fields/field-text.js'
import { fieldText } from '../report/fields/texts.js'
import { sentenceOf, type Field, type Shape } from '../shape/field.js'
import { formatOf } from '../shape/formats.js'
import { tokenAt } from './locate.js'

/** What an editor shows at an offset: the findings there with their rules, and what the field is for. Markdown. */
export function hoverAt(roots: readonly YamlNode[], offset: number, found: readonly Diagnostic[]): string | undefined {
  const token = tokenAt(roots, offset)
  const field = token?.field === undefined ? undefined : describe(token.path.at(-1) ?? '', token.field, token.shape)
  const parts = [...found.map(explained), ...(field === undefined ? [] : [field])]
  return parts.length === 0 ? undefined : parts.join('\n\n---\n\n')
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
