import type { Rule } from './rule.js'
import { FILE_RULES } from './file/index.js'
import { MANIFEST_RULES } from './manifest/index.js'
import { CAPABILITY_RULES } from './capability/index.js'
import { INPUTS_RULES } from './inputs/index.js'
import { COST_RULES } from './cost/index.js'
import { REFERENCES_RULES } from './references/index.js'
import { COMPOSITION_RULES } from './composition/index.js'
import { TEXT_RULES } from './text/index.js'
import { APPROVALS_RULES } from './approvals/index.js'
import { STYLE_RULES } from './style/index.js'
import { VALUES_RULES } from './values/index.js'

/** All rules, in the order of their codes. */
export const RULES: readonly Rule[] = [
  FILE_RULES,
  MANIFEST_RULES,
  CAPABILITY_RULES,
  INPUTS_RULES,
  COST_RULES,
  REFERENCES_RULES,
  COMPOSITION_RULES,
  TEXT_RULES,
  APPROVALS_RULES,
  STYLE_RULES,
  VALUES_RULES,
]
  .flat()
  .sort((one, other) => (one.code < other.code ? -1 : 1))

/** The rule of a code that the compiler itself reported. */
export const ruleOf = (code: string): Rule => BY_CODE.get(code)!
const BY_CODE: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.code, rule]))
