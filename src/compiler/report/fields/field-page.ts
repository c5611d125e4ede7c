import { sentenceOf, type Field, type Shape } from '../../shape/field.js'
import { formatOf } from '../../shape/formats.js'
import type { RuleFacts } from '../../rules/rule.js'
import { BLOCK_EXAMPLES } from './block-examples.js'
import { innerOf, slugOf, type ManifestBlock } from './blocks.js'
import { FIELD_EXAMPLES } from './examples.js'
import { fieldText } from './texts.js'

/** The rules that have judged a field in their own examples. */
export type RulesOfField = (block: string, field: string) => readonly RuleFacts[]

/** The reference page of a block, in Markdown. */
export function blockPage({ shape, path }: ManifestBlock, rulesOf: RulesOfField): string {
  const { title, fields } = shape
  return [
    `# ${title.slice(0, 1).toUpperCase()}${title.slice(1)}`,
    '',
    path === '' ? 'The file `svc.yaml` itself.' : `Stands at \`${path}\`.`,
    '',
    '| field | type | required |',
    '| --- | --- | --- |',
    ...Object.entries(fields).map(
      ([name, field]) => `| [\`${name}\`](#${name}) | ${typeText(field)} | ${field.required ? 'yes' : 'no'} |`,
    ),
    '',
    ...Object.keys(fields).flatMap((name) => [`## \`${name}\``, '', fieldSection(shape, name, rulesOf), '']),
    ...exampleSection(title),
  ]
    .join('\n')
    .trimEnd()
}

/** The example of a block, where it has one. */
export function exampleSection(title: string): readonly string[] {
  const example = BLOCK_EXAMPLES[title]
  if (example === undefined) return []
  return [
    `## ${example.title}`,
    '',
    '```yaml',
    example.yaml.trimEnd(),
    '```',
    '',
    ...example.text.flatMap((text) => [text, '']),
  ]
}

/** All that is to be said of one field: `svc explain` prints it, too. */
export function fieldSection(shape: Shape, name: string, rulesOf: RulesOfField): string {
  const field = shape.fields[name]!
  const { atRunTime = '', default: otherwise, worked, words = {} } = fieldText(shape.title, name) ?? {}
  const example = FIELD_EXAMPLES[shape.title]?.[name] ?? exampleOf(field)
  const rules = rulesOf(shape.title, name)
  return [
    sentenceOf(field),
    '',
    `- **Type**: ${typeText(field)}${field.required ? ', required' : ''}`,
    ...(otherwise === undefined && field.required ? [] : [`- **Default**: ${otherwise ?? 'none'}`]),
    ...(example === undefined ? [] : [`- **Example**: \`${name}: ${example}\``]),
    ...(atRunTime === '' ? [] : [`- **At run time**: ${atRunTime}`]),
    ...(worked === undefined ? [] : [`- **Worked example**: ${worked}`]),
    ...(rules.length === 0
      ? []
      : [`- **Rules**: ${rules.map(({ code, slug }) => `[${code} ${slug}](../rules/${slug}.md)`).join(', ')}`]),
    ...wordTable(words),
  ].join('\n')
}

/** A page without its links: for a terminal, and for an editor, which would look for them beside the manifest. */
export const withoutLinks = (text: string): string => text.replaceAll(/\[([^\]]+)\]\([^)]*\)/gu, '$1')

const wordTable = (words: { readonly [word: string]: string }): readonly string[] =>
  Object.keys(words).length === 0
    ? []
    : [
        '',
        '| value | what happens |',
        '| --- | --- |',
        ...Object.entries(words).map(([word, text]) => `| \`${word}\` | ${text} |`),
      ]

export function typeText(field: Field): string {
  switch (field.kind) {
    case 'text':
      return field.format === undefined ? 'text' : formatOf(field.format).noun.replaceAll('|', '\\|')
    case 'word':
      return field.words.map((word) => `\`${word}\``).join(', ')
    case 'flag':
      return '`true` or `false`'
    case 'number':
      return numberText(field)
    case 'object':
      return blockLink(field.shape)
    case 'list':
      return `list of ${typeText(field.items)}`
    case 'map':
      return `map of names to ${typeText(field.values)}`
    case 'any':
      return 'any value'
    case 'oneOf':
      return [field.scalar, field.list, field.map]
        .flatMap((option) => (option === undefined ? [] : [typeText(option)]))
        .join('; or ')
  }
}

function numberText({ integer, atLeast, above }: Field & { readonly kind: 'number' }): string {
  const bound = atLeast !== undefined ? `, ${atLeast} or more` : above !== undefined ? `, above ${above}` : ''
  return `${integer === true ? 'whole number' : 'number'}${bound}`
}

const blockLink = (shape: Shape): string => `[${shape.title}](${slugOf(shape)}.md)`

/** An example on one line: the field's own, its format's, or its first word. */
function exampleOf(field: Field): string | undefined {
  const given =
    field.examples?.[0] ??
    (field.kind === 'text' && field.format !== undefined ? formatOf(field.format).examples[0] : undefined)
  if (given !== undefined) return typeof given === 'string' ? yamlText(given) : JSON.stringify(given)
  if (field.kind === 'word') return field.words[0]
  if (field.kind === 'flag') return 'true'
  if (field.kind === 'list' && innerOf(field).length === 0) {
    const item = exampleOf(field.items)
    return item === undefined ? undefined : `[${item}]`
  }
  return undefined
}

const yamlText = (text: string): string => (/^[\w./-]+$/u.test(text) && !/^[\d.]+$/u.test(text) ? text : `'${text}'`)
