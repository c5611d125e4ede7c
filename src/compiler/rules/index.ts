import { THE_RUN_AND_YAML } from './lists/the-run-and-yaml.js'
import { MANIFEST } from './lists/manifest.js'
import { CAPABILITY } from './lists/capability.js'
import { INPUTS } from './lists/inputs.js'
import { COST_AND_CONTROLS } from './lists/cost-and-controls.js'
import { REFERENCES } from './lists/references.js'
import { COMPOSITION } from './lists/composition.js'
import { SECRETS_AND_TEXT } from './lists/secrets-and-text.js'
import { JUDGEMENT } from './lists/judgement.js'
import { APPROVALS } from './lists/approvals.js'
import type { Rule } from './rule.js'

/** All rules, in the order of the interface document. */
export const RULES: readonly Rule[] = THE_RUN_AND_YAML.concat(
  MANIFEST,
  CAPABILITY,
  INPUTS,
  COST_AND_CONTROLS,
  REFERENCES,
  COMPOSITION,
  SECRETS_AND_TEXT,
  JUDGEMENT,
  APPROVALS,
)

let byCode: ReadonlyMap<string, Rule> | undefined

/** The rule of a code that the compiler itself reported. Most runs report none, and need no index. */
export function ruleOf(code: string): Rule {
  byCode ??= new Map(RULES.map((rule) => [rule.code, rule]))
  return byCode.get(code)!
}
