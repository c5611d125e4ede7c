import { reportTo, type Finding } from '../finding.js'
import type { SourceMap } from '../parse/sources.js'
import type { YamlNode } from '../parse/tree.js'
import type { ManifestView } from '../shape/view.js'
import type { Rule } from './rule.js'
import { runRules } from './run-rules.js'
import { ruleContextOf, type Surroundings } from './context.js'

export interface Readable {
  readonly view: ManifestView | undefined
  readonly roots: readonly (YamlNode | undefined)[]
  readonly placed: SourceMap
}

/** Runs the rules on a manifest; only on the capabilities in `names`, if given. */
export function applyRules(
  rules: readonly Rule[],
  { view, roots, placed }: Readable,
  surroundings: Surroundings,
  names?: Iterable<string>,
): readonly Finding[] {
  if (view === undefined) return []
  const findings: Finding[] = []
  const context = ruleContextOf(view, roots.filter(isTree), placed, surroundings)
  runRules(rules, context, reportTo(findings), names ?? context.capabilities.keys())
  return findings
}

const isTree = (root: YamlNode | undefined): root is YamlNode => root !== undefined
