/**
 * Values by name, of which those that were not used for long are forgotten; never more than the given number. Two
 * generations: what is used moves to the young one, and when that holds half of the number it becomes the old one.
 * Moving a name to the end of one map instead would leave a hole for each use in the chain of that name, and every next
 * use would walk past all of them.
 */
export interface Recent<Value> {
  /** The value of a name, which counts as used by that. */
  get(name: string): Value | undefined
  set(name: string, value: Value): void
  delete(name: string): void
  clear(): void
}

export function recent<Value>(most: number): Recent<Value> {
  let young = new Map<string, Value>()
  let old = new Map<string, Value>()
  const set = (name: string, value: Value): void => {
    young.set(name, value)
    if (young.size * 2 <= most) return
    old = young
    young = new Map()
  }
  return {
    get(name) {
      const known = young.get(name)
      if (known !== undefined) return known
      const value = old.get(name)
      if (value !== undefined) set(name, value)
      return value
    },
    set,
    delete(name) {
      young.delete(name)
      old.delete(name)
    },
    clear() {
      young = new Map()
      old = new Map()
    },
  }
}
