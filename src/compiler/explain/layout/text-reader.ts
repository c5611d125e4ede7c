import { reportTo, type Finding } from '../../finding.js'
import { readStrictly } from '../../parse/read-document.js'
import { applyRules } from '../../rules/apply-rules.js'
import { ruleOf } from '../../rules/index.js'
import type { Rule } from '../../rules/rule.js'
import type { Surroundings } from '../../rules/context.js'
import { MANIFEST } from '../../shape/fields/manifest.js'
import { readFiles, readRoot } from '../../shape/read-files.js'

/** Reader of the findings in a short standalone text. */
export interface TextReader {
  readonly read: (text: string) => readonly Finding[]
  /** The same; undefined if the text is not YAML. */
  readonly readStrictly: (text: string) => readonly Finding[] | undefined
  /** Counts the errors of all rules. */
  readonly errors: (text: string) => number
}

export const textReader = (rules: readonly Rule[], surroundings: Surroundings): TextReader => ({
  read: (text) => readFiles([{ file: '', text }]).findings,
  readStrictly(text) {
    const findings: Finding[] = []
    const report = reportTo(findings)
    const root = readStrictly({ file: '', text, base: 0 }, report)
    if (root === undefined) return undefined
    readRoot(root, MANIFEST, { report, text: ({ start, end }) => text.slice(start, end) })
    return findings
  },
  errors(text) {
    const read = readFiles([{ file: '', text }])
    return errorsIn([...read.findings, ...applyRules(rules, read, surroundings)])
  },
})

export const errorsIn = (findings: readonly Finding[]): number =>
  findings.filter(({ code }) => ruleOf(code).severity === 'error').length
