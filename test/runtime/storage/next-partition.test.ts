/** What is done next so that the entries to come have a partition. */
import { expect, it } from 'vitest'
import { stepAfter, type PartitionFacts } from '../../../src/runtime/storage/postgres/partitions/next-step.js'

const open = (from: number, ending?: { readonly at: number; readonly isProved: boolean }) => ({
  name: 'p',
  from,
  ...(ending && { ending }),
})
const facts = (from: number, head: number, size = 1_000): PartitionFacts => ({ open: open(from), head, size })

it.each<[string, PartitionFacts, object]>([
  ['one table', { head: 5, size: 1_000 }, { does: 'convert' }],
  ['an end that was announced', { open: open(1, { at: 7, isProved: false }), head: 5, size: 1_000 }, { does: 'prove' }],
  [
    'an end that was proved',
    { open: open(1, { at: 7, isProved: true }), head: 5, size: 1_000 },
    { does: 'cut', at: 7 },
  ],
  ['no entry', facts(1, 0), { does: 'cut', at: 1_001 }],
  ['a partition under way', facts(1, 999), { does: 'cut', at: 1_001 }],
  ['a partition that is full', facts(1, 1_000), { does: 'cut', at: 2_001 }],
  ['an empty one in reserve, under which the next begins', facts(1_001, 999), { does: 'cut', at: 2_001 }],
  ['one in reserve behind that under way', facts(2_001, 999), { does: 'nothing' }],
  ['that under way full, and one in reserve', facts(2_001, 1_000), { does: 'cut', at: 3_001 }],
  ['just as many entries as are read at once', facts(1, 10_000), { does: 'cut', at: 11_001 }],
  ['one more', facts(1, 10_001), { does: 'announce', at: 21_001 }],
  ['many in a part of a large partition', facts(1, 10_001, 50_000), { does: 'announce', at: 100_001 }],
])('%s', (_, given, step) => {
  expect(stepAfter(given)).toEqual({ ...step, ...('at' in step || given.open?.ending ? { open: given.open } : {}) })
})
