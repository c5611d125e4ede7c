import type { JsonObject } from '../../protocol/manifest.js'
import { sentenceOf, type Field, type Shape } from './field.js'
import { flagless } from './flagless.js'
import { formatOf, type Format } from './formats.js'
import { DIVIDED_MANIFEST, FRAGMENT, MANIFEST } from './fields/manifest.js'
import { severityOf } from './severity-of.js'
import { SNIPPETS } from './snippets.js'

/** The table of fields as JSON Schema (draft 7, which editors know): for completion, hover and other tools. */
export function manifestSchema(parts: SchemaParts, meaningOf: MeaningOf = () => undefined): JsonObject {
  const definitions: Definitions = { parts, meaningOf, shapes: {} }
  const root = shapeSchema(DIVIDED_MANIFEST, definitions)
  return {
    $schema: DRAFT,
    $id: 'urn:svc-kit:schema:manifest',
    title: 'svc manifest',
    description: `${MANIFEST.about}`,
    ...root,
    properties: { ...(root['properties'] as JsonObject), capabilities: maybeUnwritten(root) },
    // What includes files may have all its capabilities in these.
    if: { type: 'object', properties: { include: true }, required: ['include'] },
    else: {
      type: 'object',
      properties: { capabilities: { type: 'object', minProperties: 1 } },
      required: ['capabilities'],
    },
    definitions: { ...definitions.shapes, fragment: shapeSchema(FRAGMENT, definitions), ...parts.definitions },
  }
}

/** The key of the capabilities may stand without a value where other files declare them. */
const maybeUnwritten = ({ properties }: JsonObject): JsonObject => ({
  ...(properties as { readonly capabilities: JsonObject }).capabilities,
  type: ['object', 'null'],
})

/** The same for a file that a manifest includes. */
export function fragmentSchema(parts: SchemaParts, meaningOf: MeaningOf = () => undefined): JsonObject {
  const definitions: Definitions = { parts, meaningOf, shapes: {} }
  const root = shapeSchema(FRAGMENT, definitions)
  const description = 'Capabilities of a manifest, in a file that it includes.'
  return {
    $schema: DRAFT,
    $id: 'urn:svc-kit:schema:fragment',
    title: 'svc fragment',
    description,
    ...root,
    definitions: { ...definitions.shapes, ...parts.definitions },
  }
}

const DRAFT = 'http://json-schema.org/draft-07/schema#'

/** Returns the effect of a field at run time, and that of each of its words; for editors. */
export type MeaningOf = (block: string, field: string) => Meaning | undefined
interface Meaning {
  readonly atRunTime: string
  readonly words?: { readonly [word: string]: string }
}

/** Schema parts of the rules: for each shape by its title, and the schemas they refer to. */
export interface SchemaParts {
  readonly of: (title: string) => readonly JsonObject[]
  readonly definitions: { readonly [name: string]: JsonObject }
}

interface Definitions {
  readonly parts: SchemaParts
  readonly meaningOf: MeaningOf
  readonly shapes: { [name: string]: JsonObject }
}

function shapeSchema(shape: Shape, definitions: Definitions): JsonObject {
  const names = Object.keys(shape.fields)
  const needed = names.filter((name) => shape.fields[name]!.required)
  const properties = Object.fromEntries(names.map((name) => [name, fieldSchema(shape, name, definitions)]))
  const parts = definitions.parts.of(shape.title)
  return {
    type: 'object',
    properties,
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(shape.strict ? {} : { patternProperties: { '^x-': true } }),
    ...(shape.open ? {} : { additionalProperties: false }),
    ...(parts.length === 0 ? {} : { allOf: parts }),
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

/** Returns the texts that editors show beside each word. */
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
  return { type: 'string', ...formatSchema(formatOf(format)), examples: [...formatOf(format).examples] }
}

/** Texts of a format, and those whose misspelling is no more than a warning. */
function formatSchema({ pattern, words, reserved, exact = [] }: Format): JsonObject {
  if (words !== undefined) return { enum: [...words] }
  const misspelt = exact.flatMap(({ code, when }, index) =>
    severityOf(code) === 'error'
      ? []
      : [
          {
            pattern: flagless(when),
            not: { anyOf: exact.slice(0, index).map((each) => ({ pattern: flagless(each.when) })) },
          },
        ],
  )
  const own = { pattern: pattern.source }
  return {
    ...(misspelt.length === 0 ? own : { anyOf: [own, ...misspelt] }),
    ...(reserved === undefined ? {} : { not: { enum: [...reserved] } }),
  }
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
  ...(keys === undefined ? {} : { propertyNames: formatSchema(formatOf(keys)) }),
  ...(min === undefined || min === 0 ? {} : { minProperties: min }),
})
