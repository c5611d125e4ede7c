import { referredName, SCHEMA_REFERENCE, type ValueSchema, type ValueSchemas } from '../../protocol/value-schema.js'

/**
 * A choice between objects that one member tells apart: `oneOf` or `anyOf` whose branches all require it, each with texts of its own. Its
 * tag is judged first and then the branch that it names, so that a fault is reported in the branch that was meant. It holds for the same
 * values; any other schema is given back as it is.
 *
 *     oneOf: [{ type: object, properties: { kind: { const: card } }, required: [kind] }, …]
 */
export function withChoicesByTag(schema: ValueSchema, shared: ValueSchemas): ValueSchema {
  const { anyOf, oneOf, ...rest } = schema
  const written = oneOf ?? anyOf
  if (written === undefined || (oneOf !== undefined && anyOf !== undefined)) return schema
  const branches = written.map((branch) => referred(branch, shared))
  const tag = branches[0]!.required?.find((name) => tagsOf(branches, name) !== undefined)
  if (tag === undefined) return schema
  const properties = { [tag]: { enum: tagsOf(branches, tag)! } }
  return { ...rest, type: 'object', properties, required: [tag], discriminator: { propertyName: tag }, oneOf: written }
}

const referred = (branch: ValueSchema, shared: ValueSchemas): ValueSchema =>
  branch.$ref?.startsWith(SCHEMA_REFERENCE) && Object.keys(branch).length === 1
    ? (shared[referredName(branch.$ref)] ?? branch)
    : branch

/** The values of a member in all branches; undefined where it does not tell them apart. */
function tagsOf(branches: readonly ValueSchema[], name: string): readonly string[] | undefined {
  const tags = branches.flatMap<unknown>(({ type, required, properties }) => {
    const member = properties !== undefined && Object.hasOwn(properties, name) ? properties[name] : undefined
    const values = member?.const === undefined ? (member?.enum ?? [undefined]) : [member.const]
    return type === 'object' && required?.includes(name) ? values : [undefined]
  })
  return tags.every(isTag) && new Set(tags).size === tags.length ? tags : undefined
}

/** ajv looks tags up in a plain object, and takes an empty one for none. */
const isTag = (value: unknown): value is string => typeof value === 'string' && value !== '' && !(value in {})
