import type { JsonObject } from '../../protocol/manifest.js'
import type { Field, Shape } from './field.js'
import { formatOf } from './formats.js'
import { DIVIDED_MANIFEST, FRAGMENT, MANIFEST } from './fields/manifest.js'

/** The table of fields as JSON Schema (draft 7, which editors know): for completion, hover and other tools. */
export function manifestSchema(): JsonObject {
  const definitions: { [name: string]: JsonObject } = {}
  const root = shapeSchema(DIVIDED_MANIFEST, definitions)
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
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
    definitions: { ...definitions, fragment: shapeSchema(FRAGMENT, definitions) },
  }
}

type Definitions = { [name: string]: JsonObject }

function shapeSchema(shape: Shape, definitions: Definitions): JsonObject {
  const names = Object.keys(shape.fields)
  const needed = names.filter((name) => shape.fields[name]!.required)
  const properties = Object.fromEntries(
    names.map((name) => [name, fieldSchema(name, shape.fields[name]!, definitions)]),
  )
  return {
    type: 'object',
    properties,
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(shape.strict ? {} : { patternProperties: { '^x-': true } }),
    ...(shape.open ? {} : { additionalProperties: false }),
  }
}

function fieldSchema(name: string, field: Field, definitions: Definitions): JsonObject {
  return { title: name, ...described(field), ...kindSchema(field, definitions) }
}

const described = ({ about, examples }: Field): JsonObject => ({
  ...(about === undefined ? {} : { description: about }),
  ...(examples === undefined ? {} : { examples: examples as never }),
})

function kindSchema(field: Field, definitions: Definitions): JsonObject {
  switch (field.kind) {
    case 'text': return textSchema(field)
    case 'word': return { type: 'string', enum: [...field.words] }
    case 'flag': return { type: 'boolean' }
    case 'number': return numberSchema(field)
    case 'list': return listSchema(field, definitions)
    case 'object': return reference(field.shape, definitions)
    case 'map': return mapSchema(field, definitions)
    case 'any': return {}
    case 'oneOf': return { anyOf: [field.scalar, field.list, field.map].flatMap((option) => (option === undefined ? [] : [{ ...described(option), ...kindSchema(option, definitions) }])) }
  } // prettier-ignore
}

/** Each shape is defined once, under its title. */
function reference(shape: Shape, definitions: Definitions): JsonObject {
  const name = shape.title.replaceAll(' ', '_')
  if (definitions[name] === undefined) {
    definitions[name] = {}
    definitions[name] = { title: shape.title, ...shapeSchema(shape, definitions) }
  }
  return { allOf: [{ $ref: `#/definitions/${name}` }] }
}

function textSchema({ format, mayBeNull }: Field & { kind: 'text' }): JsonObject {
  if (format === undefined) return { type: mayBeNull ? ['string', 'null'] : 'string', pattern: '\\S' }
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
