/** A member of an object on one line, as JSON. */
export const entry = (name: string, value: unknown): string => `${JSON.stringify(name)}: ${JSON.stringify(value)}`

/**
 * An object of members that are texts already: one a line, as deep as it stands. Large documents are put together, not
 * built; added up and not joined, because objects nest: each join would copy what is in it again.
 */
export function objectText(level: number, entries: readonly string[]): string {
  if (entries.length === 0) return '{}'
  const next = `,\n${' '.repeat(level + 1)}`
  let text = ''
  for (const member of entries) text += `${text === '' ? next.slice(1) : next}${member}`
  return `{${text}\n${' '.repeat(level)}}`
}

/** The members of an object as JSON, without its braces, so that others can stand beside them. */
export const membersText = (object: object): string => JSON.stringify(object).slice(1, -1)
