import type { Manifest } from '../protocol/manifest.js'
import type { Diagnostic, Severity, Source } from './diagnostics.js'
import { explain } from './explain/explain.js'
import { toDiagnostic } from './explain/to-diagnostics.js'
import type { IncludeProblem } from './parse/includes.js'
import type { YamlNode } from './parse/tree.js'
import type { SchemaJudge } from './judge/refusal.js'
import { refusedBySchema } from './judge/refused-by-schema.js'
import { applyRules } from './rules/apply-rules.js'
import { RULES } from './rules/index.js'
import type { Rule } from './rules/rule.js'
import type { Surroundings } from './rules/context.js'
import { normalise } from './shape/normalise.js'
import { readFiles } from './shape/read-files.js'

/** Set of lints that run: none, the warnings, or all. Other rules always run. */
export type Preset = 'minimal' | 'recommended' | 'strict'

export interface CheckOptions extends Surroundings {
  /** Default: recommended. */
  readonly preset?: Preset
  /** Codes of lints that run beside those of the preset. */
  readonly enable?: readonly string[]
  /** Severities of lints in this project: code -> severity, or off. Other rules keep theirs. */
  readonly severities?: { readonly [code: string]: Severity | 'off' }
  /** Includes whose files could not be read. */
  readonly includeProblems?: readonly IncludeProblem[]
  /** The published JSON Schema, compiled: a judge beside the rules. */
  readonly judge?: SchemaJudge
  /** Rules in the place of those that the preset chooses; the structure is always checked. */
  readonly rules?: readonly Rule[]
}

export interface Checked {
  /** By file, place and code. */
  readonly diagnostics: readonly Diagnostic[]
  /** With defaults filled in, when it is first asked for; undefined when there is an error. */
  readonly manifest?: Manifest | undefined
  /** The documents, in the order of the sources; undefined where one could not be read at all. */
  readonly roots: readonly (YamlNode | undefined)[]
}

/**
 * Checks a manifest: the first source, and the fragments that it includes. Reports every fault with its place; never
 * throws for bad input; the same sources give the same answer.
 *
 * @example
 * const { diagnostics, manifest } = check([{ file: 'svc.yaml', text }])
 * if (manifest === undefined) for (const { code, message } of diagnostics) console.error(code, message)
 */
export function check(sources: readonly Source[], options: CheckOptions = {}): Checked {
  const { severities = {}, judge } = options
  const rules = options.rules ?? chosenRules(options)
  const read = readFiles(sources, options.includeProblems)
  const ruled = [...read.findings, ...applyRules(rules, read, options)]
  const found = judge === undefined ? ruled : [...ruled, ...refusedBySchema(judge, read, ruled)]
  const findings = explain(found, { read, rules, surroundings: options, severities })
  const diagnostics = findings.map((finding) => toDiagnostic(finding, read.placed))
  const { roots, view } = read
  if (view === undefined || diagnostics.some(({ severity }) => severity === 'error')) return { diagnostics, roots }
  let manifest: Manifest | undefined
  return {
    diagnostics,
    roots,
    // Validation needs no normalised manifest; a build does.
    get manifest() {
      return (manifest ??= normalise(view))
    },
  }
}

/** The rules of a preset, and those that are switched on beside it. */
const chosenRules = ({ preset = 'recommended', enable = [], severities = {} }: CheckOptions): readonly Rule[] =>
  RULES.filter(({ code, source, severity }) => {
    if (source !== 'L') return true
    if (Object.hasOwn(severities, code)) return severities[code] !== 'off'
    return enable.includes(code) || preset === 'strict' || (preset === 'recommended' && severity !== 'info')
  })
