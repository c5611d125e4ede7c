/**
 * Remembers what was made of the same parts before, so that an edit of one capability costs what that capability costs.
 */
export type Remember = <Made>(key: string, parts: readonly unknown[], make: () => Made) => Made

/** Forgets everything at once: for a single run. */
export const rememberNothing: Remember = (_, __, make) => make()

/** Remembers the last thing that was made under each key, for as long as its parts are the very same values. */
export function newMemo(): Remember {
  const known = new Map<string, { readonly parts: readonly unknown[]; readonly made: unknown }>()
  return <Made>(key: string, parts: readonly unknown[], make: () => Made): Made => {
    const last = known.get(key)
    if (last !== undefined && isSame(last.parts, parts)) return last.made as Made
    const made = make()
    known.set(key, { parts, made })
    return made
  }
}

function isSame(a: readonly unknown[], b: readonly unknown[]): boolean {
  if (a.length !== b.length) return false
  for (let index = 0; index < a.length; index++) if (a[index] !== b[index]) return false
  return true
}
