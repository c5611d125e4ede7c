/** A contributor: each field of the table of fields made weaker in a pull request (N34). */
import { afterAll, describe, expect, it } from 'vitest'
import { PINNED } from '../../src/compiler/diff/pinned.js'
import { CHANGE_KINDS, type ChangeKind } from '../../src/compiler/diff/kinds.js'
import type { ChangeRule } from '../../src/compiler/shape/change-rule.js'
import { blocksOf } from '../../src/compiler/report/fields/blocks.js'
import type { Field } from '../../src/compiler/shape/field.js'
import { codesIn, holesIn, rowsOf, unknownCodes } from './contributor.js'
import { ATTACKS } from './contributor-attacks.js'

/** Kinds of what is not in the table: endpoints, keys, failures of the business, members that nobody knows. */
const BESIDE = [
  'SVC9178', 'SVC9179', 'SVC9180', 'SVC9183', 'SVC9184', 'SVC9222', 'SVC9223', 'SVC9224', 'SVC9225', 'SVC9250', 'SVC9256', 'SVC9257', ...Object.values(PINNED),
] // prettier-ignore

describe('N34: a contributor', () => {
  it('makes no field weaker unseen', () => {
    expect(holesIn(rowsOf()).holes).toEqual([])
  })

  it('finds kinds of change in each row of the table, and a row for each kind', () => {
    const rows = rowsOf()
    expect(unknownCodes(rows)).toEqual([])
    const named = new Set(rows.flatMap(({ field }) => codesIn(field.change!)))
    expect([...CHANGE_KINDS.keys()].filter((code) => !named.has(code)).toSorted()).toEqual(BESIDE)
  })

  afterAll(() => {
    const { attacks } = holesIn(rowsOf())
    const harmless = Object.values(ATTACKS).filter((entry) => 'harmless' in entry).length
    process.stdout.write(`contributor: ${rowsOf().length} rows, ${attacks} attacks, ${harmless} rows that limit nothing\n`) // prettier-ignore
  })
})

describe('the harness finds a planted hole', () => {
  const fieldsOf = (block: string) =>
    blocksOf().find(({ slug }) => slug === block)!.shape.fields as { [name: string]: Field }
  /** What is found while a field of a block is another one. */
  function planted(block: string, name: string, field: Field): readonly string[] {
    const fields = fieldsOf(block)
    const before = fields[name]
    fields[name] = field
    try {
      return holesIn(rowsOf()).holes
    } finally {
      if (before === undefined) Reflect.deleteProperty(fields, name)
      else fields[name] = before
    }
  }
  const judgedAs = (block: string, name: string, change: ChangeRule): readonly string[] =>
    planted(block, name, { ...fieldsOf(block)[name]!, change })

  it('a limit that counts as longer where it is shorter', () => {
    expect(judgedAs('binding-requirement', 'max_age', { longer: 'SVC9105', shorter: ['SVC9106', 'compatible'], absent: 0 })).toContain(
      'capabilities.<name>.requires_binding[].max_age: {"capabilities.order.requires_binding.0.max_age":"gone"} passes as SVC9106 binding-max-age-extended, compatible.',
    )
  }) // prettier-ignore

  it('a switch whose two ends are exchanged', () => {
    expect(judgedAs('approvals', 'separation_of_duties', { on: 'SVC9236', off: ['SVC9235', 'compatible'], absent: true })).toEqual([
      'approvals.separation_of_duties: {"approvals.separation_of_duties":false} passes as SVC9235 separation-lifted, compatible.',
    ])
  }) // prettier-ignore

  it('a kind that is called compatible', () => {
    const kinds = CHANGE_KINDS as Map<string, ChangeKind>
    const kind = kinds.get('SVC9084')!
    kinds.set('SVC9084', { ...kind, effect: 'compatible' })
    const { holes } = holesIn(rowsOf())
    kinds.set('SVC9084', kind)
    expect(holes.length).toBeGreaterThan(4)
    expect(holes[0]).toContain('"amount":0.01}}} passes as SVC9084 cost-lowered, compatible.')
  })

  it('a field that nobody judged, and one without an attack', () => {
    expect(planted('side-effect', 'rationale', { kind: 'text' })).toEqual([
      'capabilities.<name>.side_effect.rationale has no column of changes: write judged({ … }, …) around it in shape/fields.',
    ])
    expect(planted('side-effect', 'rationale', { kind: 'text', change: { any: 'SVC9250' } })).toEqual([
      'capabilities.<name>.side_effect.rationale has no attack: write in contributor-attacks.ts how it is made weaker, or why it limits nothing.',
    ])
  })
})
