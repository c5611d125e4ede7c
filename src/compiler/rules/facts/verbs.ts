/** Checks whether a part of a dotted name begins with one of the verbs, as a word of its own. */
export function saysVerb(name: string, verbs: ReadonlySet<string>): boolean {
  const parts = name.split('.')
  return parts.some((part, index) => {
    const end = part.indexOf('_')
    return end === -1 ? index === parts.length - 1 && verbs.has(part) : verbs.has(part.slice(0, end))
  })
}
