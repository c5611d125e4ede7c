/**
 * A type as it survives JSON: an interface of values passes, a function, a date or a map anywhere inside does not. What
 * is unknown passes, too: the further members of a value whose schema is open came as JSON.
 */
export type AsJson<Value> = unknown extends Value
  ? Value
  : Value extends null | boolean | number | string
    ? Value
    : Value extends NotJson
      ? never
      : Value extends object
        ? { readonly [Member in keyof Value]: AsJson<Value[Member]> }
        : never

/** Values that JSON writes differently, or not at all. */
type NotJson = ((...given: never) => unknown) | Date | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | Uint8Array
