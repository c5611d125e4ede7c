import { later } from '../../protocol/later.js'
import type { Rule, RuleSet } from './rule.js'

/** Sorts rules by the field that they need. */
export function setOf(rules: readonly Rule[]): RuleSet {
  const needing: { [field: string]: () => readonly Rule[] } = {}
  for (const { needs } of rules)
    if (needs !== undefined) needing[needs] ??= later(() => rules.filter((rule) => rule.needs === needs))
  return { always: rules.filter((rule) => rule.needs === undefined && hasBody(rule)), needing, all: () => rules }
}

/** The rules of a set that are wanted. */
export function chosenOf({ always, needing, all }: RuleSet, isChosen: (rule: Rule) => boolean): RuleSet {
  const chosen: { [field: string]: () => readonly Rule[] } = {}
  for (const field in needing) chosen[field] = later(() => needing[field]!().filter(isChosen))
  return { always: always.filter(isChosen), needing: chosen, all: later(() => all().filter(isChosen)) }
}

const hasBody = ({ ofManifest, ofCapability, ofInput, ofStep }: Rule): boolean =>
  (ofManifest ?? ofCapability ?? ofInput ?? ofStep) !== undefined
