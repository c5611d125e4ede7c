import { mapSchema, referredName, SCHEMA_REFERENCE, type ValueSchema, type ValueSchemas } from './value-schema.js'

/** The names that a schema refers to itself, each once. */
export function namesIn(schema: ValueSchema): readonly string[] {
  const names = new Set<string>()
  mapSchema(schema, (each) => {
    if (each.$ref?.startsWith(SCHEMA_REFERENCE) === true) names.add(referredName(each.$ref))
    return each
  })
  return [...names]
}

/**
 * The shared schemas that others lead to, each after those that it refers to, but for loops. Without recursion: a
 * manifest may have more schemas in a row than a stack has places.
 */
export function schemaOrder(from: Iterable<ValueSchema>, shared: ValueSchemas): readonly string[] {
  const order: string[] = []
  const seen = new Set<string>()
  for (const schema of from) {
    const open: { readonly name?: string; readonly inner: Iterator<string> }[] = [{ inner: namesIn(schema).values() }]
    for (let last = open.at(-1); last !== undefined; last = open.at(-1)) {
      const { done, value: name } = last.inner.next()
      if (done === true) {
        open.pop()
        if (last.name !== undefined) order.push(last.name)
      } else if (!seen.has(name)) {
        seen.add(name)
        open.push({ name, inner: namesIn(shared[name]!).values() })
      }
    }
  }
  return order
}
