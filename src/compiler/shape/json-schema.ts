import type { JsonObject } from '../../protocol/manifest.js'
import { sentenceOf, type Field, type Shape } from './field.js'
import { formatOf } from './formats.js'
import { DIVIDED_MANIFEST, FRAGMENT, MANIFEST } from './fields/manifest.js'
import { SNIPPETS } from './snippets.js'

/** The table of fields as JSON Schema (draft 7, which editors know): for completion, hover and other tools. */
export function manifestSchema(meaningOf: MeaningOf = () => undefined): JsonObject {
  const definitions: Definitions = { meaningOf, shapes: {} }
  const root = shapeSchema(DIVIDED_MANIFEST, definitions)
  return {
    $schema: DRAFT,
    $id: 'urn:svc-kit:schema:manifest',
    title: 'svc manifest',
    description: `${MANIFEST.about}`,
    ...root,
    // What includes files may have all its capabilities in these.
    if: { type: 'object', properties: { include: true }, required: ['include'] },
    else: {
      type: 'object',
      properties: { capabilities: { type: 'object', minProperties: 1 } },
      required: ['capabilities'],
    },
    definitions: { ...definitions.shapes, fragment: shapeSchema(FRAGMENT, definitions) },
  }
}

/** The same for a file that a manifest includes. */
export function fragmentSchema(meaningOf: MeaningOf = () => undefined): JsonObject {
  const definitions: Definitions = { meaningOf, shapes: {} }
  const root = shapeSchema(FRAGMENT, definitions)
  const description = 'Capabilities of a manifest, in a file that it includes.'
  return {
    $schema: DRAFT,
    $id: 'urn:svc-kit:schema:fragment',
    title: 'svc fragment',
    description,
    ...root,
    definitions: definitions.shapes,
  }
}

const DRAFT = 'http://json-schema.org/draft-07/schema#'

/** What a field does at run time, and each word that it takes; for editors. */
export type MeaningOf = (block: string, field: string) => Meaning | undefined
interface Meaning {
  readonly atRunTime: string
  readonly words?: { readonly [word: string]: string }
}

interface Definitions {
  readonly meaningOf: MeaningOf
  readonly shapes: { [name: string]: JsonObject }
}

function shapeSchema(shape: Shape, definitions: Definitions): JsonObject {
  const names = Object.keys(shape.fields)
  const needed = names.filter((name) => shape.fields[name]!.required)
  const properties = Object.fromEntries(names.map((name) => [name, fieldSchema(shape, name, definitions)]))
  return {
    type: 'object',
    properties,
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(shape.strict ? {} : { patternProperties: { '^x-': true } }),
    ...(shape.open ? {} : { additionalProperties: false }),
  }
}

function fieldSchema(shape: Shape, name: string, definitions: Definitions): JsonObject {
  const field = shape.fields[name]!
  const meaning = definitions.meaningOf(shape.title, name)
  const snippets = SNIPPETS[`${shape.title}.${name}`]
  const markdown =
    field.about === undefined || meaning === undefined
      ? undefined
      : `${sentenceOf(field)}\n\nAt run time: ${meaning.atRunTime}`
  return {
    title: name,
    ...described(field),
    ...(markdown === undefined ? {} : { markdownDescription: markdown }),
    ...kindSchema(field, definitions),
    ...wordTexts(field, meaning?.words),
    ...(snippets === undefined ? {} : { defaultSnippets: snippets }),
  }
}

/** What editors show beside each word. */
function wordTexts(field: Field, words: Meaning['words']): JsonObject {
  if (field.kind !== 'word' || words === undefined) return {}
  const texts = field.words.map((word) => words[word] ?? '')
  return { enumDescriptions: texts, markdownEnumDescriptions: texts }
}

const described = (field: Field): JsonObject => ({
  ...(field.about === undefined ? {} : { description: sentenceOf(field) }),
  ...(field.examples === undefined ? {} : { examples: field.examples as never }),
})

function kindSchema(field: Field, definitions: Definitions): JsonObject {
  switch (field.kind) {
    case 'text':
      return textSchema(field)
    case 'word':
      return { type: 'string', enum: [...field.words] }
    case 'flag':
      return { type: 'boolean' }
    case 'number':
      return numberSchema(field)
    case 'list':
      return listSchema(field, definitions)
    case 'object':
      return reference(field.shape, definitions)
    case 'map':
      return mapSchema(field, definitions)
    case 'any':
      return {}
    case 'oneOf':
      return {
        anyOf: [field.scalar, field.list, field.map].flatMap((option) =>
          option === undefined ? [] : [{ ...described(option), ...kindSchema(option, definitions) }],
        ),
      }
  }
}

/** Each shape is defined once, under its title. */
function reference(shape: Shape, definitions: Definitions): JsonObject {
  const name = shape.title.replaceAll(' ', '_')
  const { shapes } = definitions
  if (shapes[name] === undefined) {
    shapes[name] = {}
    shapes[name] = { title: shape.title, ...shapeSchema(shape, definitions) }
  }
  return { allOf: [{ $ref: `#/definitions/${name}` }] }
}

function textSchema({ format, mayBeNull, mayBeBlank }: Field & { kind: 'text' }): JsonObject {
  const filled = mayBeBlank ? {} : { pattern: '\\S' }
  if (format === undefined) return { type: mayBeNull ? ['string', 'null'] : 'string', ...filled }
  const { pattern, examples } = formatOf(format)
  return { type: 'string', pattern: pattern.source, examples: [...examples] }
}

const numberSchema = ({ integer, atLeast, above }: Field & { kind: 'number' }): JsonObject => ({
  type: integer ? 'integer' : 'number',
  ...(atLeast === undefined ? {} : { minimum: atLeast }),
  ...(above === undefined ? {} : { exclusiveMinimum: above }),
})

const listSchema = ({ items, min, distinct }: Field & { kind: 'list' }, definitions: Definitions): JsonObject => ({
  type: 'array',
  items: { ...described(items), ...kindSchema(items, definitions) },
  ...(min === undefined ? {} : { minItems: min }),
  ...(distinct ? { uniqueItems: true } : {}),
})

const mapSchema = ({ values, keys, min }: Field & { kind: 'map' }, definitions: Definitions): JsonObject => ({
  type: 'object',
  additionalProperties: { ...described(values), ...kindSchema(values, definitions) },
  ...(keys === undefined ? {} : { propertyNames: { pattern: formatOf(keys).pattern.source } }),
  ...(min === undefined || min === 0 ? {} : { minProperties: min }),
})
