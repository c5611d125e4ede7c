/** Error of a compiled JSON Schema, in the format of ajv. */
export interface SchemaRefusal {
  /** The place in the document, as a JSON pointer. */
  readonly instancePath: string
  /** The keyword that does not hold, as a pointer into the schema. */
  readonly schemaPath: string
  readonly keyword: string
  readonly params: { readonly [name: string]: unknown }
  readonly message?: string
}

/** Judges a value; what it refuses is in `errors` afterwards. */
export interface SchemaCheck {
  (value: unknown): boolean
  errors?: readonly SchemaRefusal[] | null
}

/** The published schema as code: of manifests, and of the files that they include. */
export interface SchemaJudge {
  readonly manifest: SchemaCheck
  readonly fragment: SchemaCheck
}

/** Keywords that hold if schemas within them do. */
const CONDITIONS: ReadonlySet<string> = new Set(['if', 'anyOf'])

/** The conditions that do not hold, by their schema and their place. */
export const conditionsIn = (refusals: readonly SchemaRefusal[]): ReadonlySet<string> =>
  new Set(
    refusals
      .filter(({ keyword }) => CONDITIONS.has(keyword))
      .map(({ schemaPath, instancePath }) => keyOf(parentOf(schemaPath), instancePath)),
  )

/** The places of the conditions that a refusal is part of. */
export const conditionsAround = (refusal: SchemaRefusal, conditions: ReadonlySet<string>): readonly string[] =>
  pathsAbove(refusal.instancePath).filter((place) =>
    pathsAbove(refusal.schemaPath).some((schema) => conditions.has(keyOf(schema, place))),
  )

const keyOf = (schema: string, place: string): string => `${schema} ${place}`
const parentOf = (path: string): string => path.slice(0, path.lastIndexOf('/'))

/** A path and all that it is within. */
function pathsAbove(path: string): readonly string[] {
  const above: string[] = []
  for (let each = path; each !== ''; each = parentOf(each)) above.push(each)
  return [...above, '']
}

/** Describes the requirement in plain words, to complete "it". */
export function requirementOf({ keyword, params, message }: SchemaRefusal): string {
  switch (keyword) {
    case 'required':
      return `must have the member \`${String(params['missingProperty'])}\``
    case 'additionalProperties':
      return `must not have the member \`${String(params['additionalProperty'])}\``
    case 'enum':
      return `must be one of ${shortList(params['allowedValues'])}`
    case 'const':
      return `must be ${shown(params['allowedValue'])}`
    case 'false schema':
      return 'must be left out'
    case 'type':
      return `must be of the type ${String(params['type']).replaceAll(',', ' or ')}`
    default:
      return (message ?? `does not fit \`${keyword}\``).replace('must NOT', 'must not')
  }
}

const MOST_WORDS = 12
const shown = (value: unknown): string => `\`${typeof value === 'string' ? value : JSON.stringify(value)}\``

function shortList(values: unknown): string {
  const words = (Array.isArray(values) ? values : []).map(shown)
  return words.length > MOST_WORDS ? `${words.slice(0, MOST_WORDS).join(', ')} and others` : words.join(', ')
}
