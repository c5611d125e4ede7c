import type { Finding } from '../finding.js'
import type { Step } from './step.js'
import { ruleOf } from '../rules/index.js'
import { unquoted } from './unquoted.js'

/** A name that is misspelt where it is declared, and what was most likely meant. */
interface Declared {
  readonly written: string
  readonly meant: string | undefined
}

/** Drops "undeclared name" findings whose cause is a misspelt declaration. */
export const withoutEchoes: Step = (findings, { read }) => {
  const named = ({ span }: Finding): string => unquoted(read.placed.text(span))
  const declared = findings
    .filter(({ code }) => ruleOf(code).role?.isOfDeclaration)
    .map((finding): Declared => ({ written: named(finding), meant: finding.suggestion }))
  if (declared.length === 0) return findings
  return findings.filter(
    (finding) => !declared.some((name) => finding.suggestion === name.written && isMeant(name, named(finding))),
  )
}

/** Without a suggestion, the name has characters that look like others. */
const isMeant = ({ written, meant }: Declared, name: string): boolean =>
  meant === undefined
    ? written.length === name.length && [...written].every((mark, at) => mark > '\u007F' || mark === name[at])
    : meant === name
