/** Patterns of versions by their order, for JSON Schema, which compares none. Patches of one minor version are alike. */

const numbers = (version: string): readonly number[] => version.split('.').map(Number)

/** Pattern of the numbers below another, and what follows each; none where there is no such number. */
const below = (end: number, before: string, after: string): readonly string[] =>
  end === 0 ? [] : [`${before}(?:${[...Array(end).keys()].join('|')})${after}`]

/** Pattern of the versions before another, which begins a minor version. */
export function versionBefore(version: string): string {
  const [major = 0, minor = 0] = numbers(version)
  return `^(?:${[...below(major, '', '\\.\\d+'), ...below(minor, `${major}\\.`, '')].join('|')})\\.`
}

/** Pattern of the versions up to another, with all patches of it. */
export function versionUpTo(version: string): string {
  const [major = 0, minor = 0] = numbers(version)
  return versionBefore(`${major}.${minor + 1}.0`)
}
