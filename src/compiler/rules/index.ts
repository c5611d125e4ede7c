import { later } from '../../protocol/later.js'
import type { Rule } from './rule.js'
import { RULE_SET } from './table.js'

/** All rules, in the order of the interface document. */
export const allRules = (): readonly Rule[] => RULE_SET.all()

/** The rule of a code that the compiler itself reported. Most runs report none, and need no index. */
export const ruleOf = (code: string): Rule => byCode().get(code)!
const byCode = later((): ReadonlyMap<string, Rule> => new Map(allRules().map((rule) => [rule.code, rule])))
