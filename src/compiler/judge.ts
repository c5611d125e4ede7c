import type { Diagnostic, Severity, Source } from './diagnostics.js'
import { withoutEchoes } from './explain/echoes.js'
import { reportTo } from './finding.js'
import type { IncludeProblem } from './parse/includes.js'
import type { YamlNode } from './parse/tree.js'
import { mayBeOfLayout } from './explain/layout/likelihood.js'
import { readFiles, type ReadFiles } from './read-files.js'
import { chosenOf } from './rules/rule-set.js'
import { RULE_SET, ruleOf } from './rules/index.js'
import { runRules } from './rules/run-rules.js'
import { contextOf } from './rules/context.js'
import type { ManifestView, RuleSet } from './rules/rule.js'
import { readSuppressions } from './explain/read-suppressions.js'
import { suppress } from './explain/suppress.js'
import { toDiagnostics } from './explain/to-diagnostics.js'

/** Which lints run: none, the warnings, or all. Rules that are no lints always run. */
export type Preset = 'minimal' | 'recommended' | 'strict'

export interface CheckOptions {
  /** Default: recommended. */
  readonly preset?: Preset
  /** Codes of lints that run beside those of the preset. */
  readonly enable?: readonly string[]
  /** What lints weigh for this project: code -> severity, or off. Other rules weigh what they weigh. */
  readonly severities?: { readonly [code: string]: Severity | 'off' }
  /** The time of the check in ms since 1970; without it nothing is said about expiry. */
  readonly now?: number
  /** Other services of the workspace, so that hints to them can be checked: id -> names of capabilities. */
  readonly services?: ReadonlyMap<string, ReadonlySet<string>>
  /** Includes whose files could not be had. */
  readonly includeProblems?: readonly IncludeProblem[]
}

export interface Judged {
  readonly diagnostics: readonly Diagnostic[]
  /** By the place of their source; undefined where it could not be read at all. */
  readonly roots: readonly (YamlNode | undefined)[]
  readonly view: ManifestView | undefined
}

/**
 * What `check` says of files in which no layout is wrong. Undefined of others: what looks into that is a part of its
 * own.
 */
export function judgeLaidOut(sources: readonly Source[], options: CheckOptions): readonly Diagnostic[] | undefined {
  const read = readFiles(sources, options, undefined)
  if (mayBeOfLayout(read.findings)) return undefined
  const isReadable = read.findings.length === 0
  const { diagnostics } = judgeRead(chosenRules(options), read, options)
  // What the rules found counts, too, where something is missing.
  return isReadable || !mayBeOfLayout(read.findings) ? diagnostics : undefined
}

/** Runs the rules over what was read. */
export function judgeRead(rules: RuleSet, read: ReadFiles, options: CheckOptions): Judged {
  const { placed, roots, view, findings, recall } = read
  const report = reportTo(findings)
  if (view !== undefined) {
    const context = contextOf(view, roots.filter(isTree), placed, options)
    if (recall === undefined) runRules(rules, context, report)
    else recall.runRules(rules, context, report)
  }
  const suppressions = placed.files.flatMap((file, index) => readSuppressions(file, roots[index]))
  const diagnostics = toDiagnostics(
    suppress(withoutEchoes(findings, placed.text), suppressions, rules.all),
    roots,
    placed,
  )
  return { diagnostics: weighed(diagnostics, options), roots, view }
}

const isTree = (root: YamlNode | undefined): root is YamlNode => root !== undefined

/** The rules of a preset, and those that are switched on beside it. */
export const chosenRules = ({ preset = 'recommended', enable = [], severities = {} }: CheckOptions): RuleSet =>
  chosenOf(RULE_SET, ({ code, source, severity }) => {
    if (source !== 'L') return true
    if (Object.hasOwn(severities, code)) return severities[code] !== 'off'
    return enable.includes(code) || preset === 'strict' || (preset === 'recommended' && severity !== 'info')
  })

/** Only lints are weighed anew. */
function weighed(diagnostics: readonly Diagnostic[], { severities }: CheckOptions): readonly Diagnostic[] {
  if (severities === undefined) return diagnostics
  return diagnostics.map((each) => {
    const severity =
      ruleOf(each.code).source === 'L' && Object.hasOwn(severities, each.code) ? severities[each.code] : undefined
    return severity === undefined || severity === 'off' ? each : { ...each, severity }
  })
}
