/** A type as it survives JSON: an interface of values passes, a function, a date or a map anywhere inside does not. */
export type AsJson<Value> = Value extends null | boolean | number | string
  ? Value
  : Value extends NotJson
    ? never
    : Value extends object
      ? { readonly [Member in keyof Value]: AsJson<Value[Member]> }
      : never

/** What JSON writes as something else, or not at all. */
type NotJson = ((...given: never) => unknown) | Date | ReadonlyMap<unknown, unknown> | ReadonlySet<unknown> | Uint8Array
