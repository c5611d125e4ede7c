/** True when two JSON values are equal: members in any order, numbers by value, nothing inherited. */
export function sameJson(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null) return false
  const names = Object.keys(left)
  if (Array.isArray(left) !== Array.isArray(right) || names.length !== Object.keys(right).length) return false
  const [members, others] = [left as Members, right as Members]
  return names.every((name) => Object.hasOwn(others, name) && sameJson(members[name], others[name]))
}

type Members = { readonly [name: string]: unknown }
