import type { Capability } from '../../../../protocol/manifest.js'
import type { Shown } from './read.js'

/** Relation of another capability to this one. */
export type RelationKind = keyof typeof RELATIONS

interface RelationRow {
  /** Above its box. */
  readonly word: string
  readonly place: 'before' | 'after' | 'below'
  /** Solid for what runs first, or as a part. */
  readonly line: 'solid' | 'dashed'
  /** For readers of the picture: `book_flight needs search_flights first`. */
  readonly says: (here: string, other: string) => string
}

export const RELATIONS = {
  first: { word: 'comes first', place: 'before', line: 'solid', says: (here, other) => `${here} needs ${other} first` },
  quotes: {
    word: 'gives what it needs',
    place: 'before',
    line: 'solid',
    says: (here, other) => `${other} gives what ${here} needs`,
  },
  later: {
    word: 'needs it first',
    place: 'after',
    line: 'solid',
    says: (here, other) => `${other} needs ${here} first`,
  },
  whole: {
    word: 'has it as a step',
    place: 'after',
    line: 'solid',
    says: (here, other) => `${here} is a step of ${other}`,
  },
  step: { word: 'step', place: 'below', line: 'solid', says: (here, other) => `${other} is a step of ${here}` },
  undone: { word: 'undoes it', place: 'below', line: 'dashed', says: (here, other) => `${other} undoes ${here}` },
  undoes: { word: 'is undone by it', place: 'below', line: 'dashed', says: (here, other) => `${here} undoes ${other}` },
  checked: { word: 'checks it', place: 'below', line: 'dashed', says: (here, other) => `${other} checks ${here}` },
  refreshed: {
    word: 'refreshes it',
    place: 'below',
    line: 'dashed',
    says: (here, other) => `${other} refreshes ${here}`,
  },
} as const satisfies { readonly [kind: string]: RelationRow }

export interface Relation {
  readonly kind: RelationKind
  readonly name: string
}

/** Returns the related capabilities, each one once: with the first relation of the table that applies. */
export function relationsOf(all: readonly Shown[], name: string): readonly Relation[] {
  const here = all.find((each) => each.name === name)?.capability
  if (here === undefined) return []
  const others = (holds: (other: Capability) => boolean): readonly string[] =>
    all.filter(({ capability }) => holds(capability)).map((each) => each.name)
  const found: { readonly [kind in RelationKind]: readonly string[] } = {
    first: here.requires?.map((each) => each.capability) ?? [],
    quotes: here.requires_binding?.flatMap(({ source_capability }) => source_capability ?? []) ?? [],
    later: others(
      ({ requires, requires_binding }) =>
        requires?.some((each) => each.capability === name) === true ||
        requires_binding?.some((each) => each.source_capability === name) === true,
    ),
    whole: others(({ composition }) => composition?.steps.some((step) => step.capability === name) === true),
    step: here.composition?.steps.map((step) => step.capability) ?? [],
    undone: here.side_effect.compensation === undefined ? [] : [here.side_effect.compensation],
    undoes: others(({ side_effect }) => side_effect.compensation === name),
    checked: here.verify_via ?? [],
    refreshed: here.refresh_via ?? [],
  }
  const seen = new Set([name])
  return (Object.keys(RELATIONS) as readonly RelationKind[]).flatMap((kind) =>
    found[kind].flatMap((other) => {
      if (seen.has(other)) return []
      seen.add(other)
      return [{ kind, name: other }]
    }),
  )
}
