import type { Manifest } from '../protocol/manifest.js'
import type { Diagnostic, Severity, Source } from './diagnostics.js'
import type { Finding, Report } from './finding.js'
import { createMemory, type Memory } from './memory/memory.js'
import { READ_LIMITS } from './read/limits.js'
import { reportIncludes, type IncludeProblem } from './read/includes.js'
import { mergeCapabilities } from './read/merge-capabilities.js'
import { readDocument } from './read/read-document.js'
import { placeSources } from './read/sources.js'
import type { YamlNode } from './read/tree.js'
import { reportRootKind } from './read/root-kind.js'
import { ruleOf } from './rules/index.js'
import { chosenOf, setOf } from './rules/rule-set.js'
import { RULE_SET } from './rules/table.js'
import { runRules } from './rules/run-rules.js'
import { wholeOf } from './rules/whole.js'
import type { ManifestView, Rule, RuleSet } from './rules/rule.js'
import type { Shape } from './schema/field.js'
import { normalise, type Normalised } from './schema/normalise.js'
import { readObject, type Reading } from './schema/read-value.js'
import { FRAGMENT, MANIFEST } from './schema/shapes/manifest.js'
import { readSuppressions } from './suppress/read-suppressions.js'
import { suppress } from './suppress/suppress.js'
import { toDiagnostics } from './to-diagnostics.js'

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

export interface Checked {
  /** By file, place and code. */
  readonly diagnostics: readonly Diagnostic[]
  /** With defaults filled in, when it is first asked for; undefined when there is an error. */
  readonly manifest?: Manifest | undefined
}

/**
 * Checks a manifest: the first source, and the fragments that it includes. Reports every fault with its place; never
 * throws for bad input; the same sources give the same answer.
 */
export const check = (sources: readonly Source[], options: CheckOptions = {}): Checked =>
  soundly(judge(chosenRules(options), sources, options))

/** The same with other rules; the structure is always checked. */
export const checkWith = (rules: readonly Rule[], sources: readonly Source[], options: CheckOptions): Checked =>
  soundly(judge(setOf(rules), sources, options))

/** Checks again and again, as an editor does: what an edit leaves as it was is not judged anew. The answers are those of `check`. */
export function createChecker(): (sources: readonly Source[], options?: CheckOptions) => Checked {
  const judgeAgain = createJudge()
  const normalised: Normalised = new WeakMap()
  return (sources, options) => soundly(judgeAgain(sources, options), normalised)
}

/** The same with the trees of the files; they are true until the next check. */
export function createJudge(): (sources: readonly Source[], options?: CheckOptions) => Judged {
  const memory = createMemory()
  return (sources, options = {}) => judge(chosenRules(options), sources, options, memory)
}

export interface Judged {
  readonly diagnostics: readonly Diagnostic[]
  /** By the place of their source; undefined where it could not be read at all. */
  readonly roots: readonly (YamlNode | undefined)[]
  readonly view: ManifestView | undefined
}

function judge(rules: RuleSet, sources: readonly Source[], options: CheckOptions, memory?: Memory): Judged {
  const findings: Finding[] = []
  const report: Report = (code, spot, message, details) => findings.push({ code, spot, message, ...details })
  const placed = placeSources(sources)
  const recall = memory?.begin()
  const roots = placed.files.map((file) => readDocument(file, report, READ_LIMITS, recall?.entriesOf(file)))
  recall?.haveRead(roots)
  const view = viewOf(roots, { report, text: placed.text, again: recall?.readAgain(findings) }, options)
  if (view !== undefined) {
    const whole = wholeOf(view, roots.filter(isTree), placed, options)
    if (recall === undefined) runRules(rules, whole, report)
    else recall.runRules(rules, whole, report)
  }
  const suppressions = placed.files.flatMap((file, index) => readSuppressions(file, roots[index]))
  const diagnostics = toDiagnostics(suppress(findings, suppressions, rules.all), roots, placed)
  return { diagnostics: weighed(diagnostics, options), roots, view }
}

const isTree = (root: YamlNode | undefined): root is YamlNode => root !== undefined

/** Validation needs no normalised manifest; a build does. */
function soundly({ diagnostics, view }: Judged, normalised?: Normalised): Checked {
  if (view === undefined || diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics }
  let manifest: Manifest | undefined
  return {
    diagnostics,
    get manifest() {
      manifest ??= normalise(view, normalised)
      return manifest
    },
  }
}

function viewOf(
  roots: readonly (YamlNode | undefined)[],
  reading: Reading,
  { includeProblems = [] }: CheckOptions,
): ManifestView | undefined {
  if (roots[0] !== undefined) reportIncludes(roots[0], includeProblems, reading.report)
  const [manifest, ...fragments] = roots.map((root, index) =>
    root === undefined ? undefined : readRoot(root, index === 0 ? MANIFEST : FRAGMENT, reading),
  )
  return manifest === undefined ? undefined : mergeCapabilities(manifest, fragments, reading.report)
}

function readRoot(node: YamlNode, shape: Shape, reading: Reading): ManifestView | undefined {
  if (node.kind !== 'map') return reportRootKind(node, shape, reading.report)
  const spot = node.keys[0] ?? node
  return readObject(shape, node, { spot, name: shape.title }, reading) as ManifestView
}

const chosenRules = ({ preset = 'recommended', enable = [], severities = {} }: CheckOptions): RuleSet =>
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
