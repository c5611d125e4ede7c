import type { FindingDetails } from '../../finding.js'
import type { Span } from '../../parse/tree.js'
import { meant, question } from '../../nearest.js'
import { at, itemAt, ownerOf, type ViewList } from '../../shape/view.js'
import type { CapabilityView, RuleReport, RuleContext } from '../rule.js'

/** Meaning of a name where a capability is expected. */
export type ReferenceKind = 'declared' | 'scope' | 'other-service' | 'unknown'

export function kindOfReference(context: RuleContext, name: string): ReferenceKind {
  if (context.declares(name)) return 'declared'
  if (context.once(scopesOf).has(name)) return 'scope'
  return /^[\w.-]+[:/][\w.]+$/u.test(name) ? 'other-service' : 'unknown'
}

/** Every scope of the manifest, with the number of its uses. */
export function scopesOf({ capabilities }: RuleContext): ReadonlyMap<string, number> {
  const uses = new Map<string, number>()
  for (const { minimum_scope = [] } of capabilities.values())
    for (const scope of minimum_scope) uses.set(scope, (uses.get(scope) ?? 0) + 1)
  return uses
}

export interface Reference {
  readonly name: string
  readonly span: Span
  /** The field that holds it. */
  readonly field: string
}

/** Every name that stands for a capability of the same manifest. */
export function referencesOf(capability: CapabilityView): readonly Reference[] {
  const { requires = [], requires_binding = [], side_effect, composition } = capability
  const one = (field: string, name: string | undefined, span: () => Span): readonly Reference[] =>
    name === undefined ? [] : [{ name, field, span: span() }]
  return [
    ...requires.flatMap((each) => one('requires', each.capability, () => at(each, 'capability'))),
    ...requires_binding.flatMap((each) =>
      one('source_capability', each.source_capability, () => at(each, 'source_capability')),
    ),
    ...one('compensation', side_effect?.compensation, () => at(side_effect!, 'compensation')),
    ...listed('refresh_via', capability.refresh_via),
    ...listed('verify_via', capability.verify_via),
    ...(composition?.steps ?? []).flatMap((each) => one('steps', each.capability, () => at(each, 'capability'))),
  ]
}

export const listed = (field: string, names: ViewList<string> | undefined): readonly Reference[] =>
  (names ?? []).map((name, index) => ({ name, field, span: itemAt(names!, index) }))

/** Tells of a name that no capability of the manifest has. */
export function reportUnknown(context: RuleContext, { name, field, span }: Reference, report: RuleReport): void {
  if (kindOfReference(context, name) !== 'unknown') return
  const near = context.nearestCapability(name)
  const details: FindingDetails = near === undefined ? {} : { ...meant(near), related: definitionOf(context, near) }
  report(span, `\`${field}\` names \`${name}\`, which this manifest does not declare.${question(near)}`, details)
}

const definitionOf = (context: RuleContext, name: string) => {
  const capability = context.capabilities.get(name)
  return capability === undefined ? [] : [{ span: ownerOf(capability), message: `\`${name}\` is declared here.` }]
}
