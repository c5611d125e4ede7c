/** A type as printers need it: a word, literals, or what is made of these. */
export type ValueType =
  | {
      readonly kind: 'word'
      readonly word: 'string' | 'number' | 'boolean' | 'JsonObject' | 'readonly Json[]' | 'Json' | 'null'
    }
  | { readonly kind: 'literals'; readonly literals: readonly (string | number | boolean)[] }
  | { readonly kind: 'named'; readonly name: string }
  | { readonly kind: 'list'; readonly items: ValueType }
  /** An object of any members, all of one type. */
  | { readonly kind: 'map'; readonly values: ValueType }
  | { readonly kind: 'union'; readonly members: readonly ValueType[] }

/** The types that a type speaks of, itself included. */
export function typesIn(type: ValueType): readonly ValueType[] {
  if (type.kind === 'list') return [type, ...typesIn(type.items)]
  if (type.kind === 'map') return [type, ...typesIn(type.values)]
  return type.kind === 'union' ? [type, ...type.members.flatMap(typesIn)] : [type]
}
