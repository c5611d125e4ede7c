import type { Finding } from '../finding.js'
import type { Spot } from '../parse/tree.js'

/** A name that is misspelt where it is declared, and what was most likely meant. */
interface Declared {
  readonly written: string
  readonly meant: string | undefined
}

/** Names of capabilities, inputs, output fields and steps that are no names. */
const isOfName = ({ code }: Finding): boolean => /^SVC(?:1004|2003|2005|4006|5103)$/u.test(code)

/** The findings but those that a name is not declared, where the very name is misspelt in its declaration. */
export function withoutEchoes(findings: readonly Finding[], text: (spot: Spot) => string): readonly Finding[] {
  const named = (spot: Spot): string => text(spot).replace(/^(["'])(.*)\1$/u, '$2')
  const declared = findings
    .filter(isOfName)
    .map(({ spot, suggestion }): Declared => ({ written: named(spot), meant: suggestion }))
  if (declared.length === 0) return findings
  return findings.filter(
    ({ suggestion, spot }) => !declared.some((name) => suggestion === name.written && isMeant(name, named(spot))),
  )
}

/** Without a suggestion, the name has characters that look like others. */
const isMeant = ({ written, meant }: Declared, name: string): boolean =>
  meant === undefined
    ? written.length === name.length && [...written].every((mark, at) => mark > '\u007F' || mark === name[at])
    : meant === name
