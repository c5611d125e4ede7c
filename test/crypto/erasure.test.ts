/** Which entries without content no erasure accounts for, in whichever order the erasures come, and which one may. */
import { expect, it } from 'vitest'
import type { Json } from '../../src/protocol/manifest.js'
import { coverage, erasedOf, erasureDraft } from '../../src/crypto/trail/erasure.js'

type Range = readonly [from: number, to: number]
const erasureOf = (...ranges: readonly Range[]) => ({
  entry_type: 'erasure',
  sequence: 100,
  erased: { ranges: ranges as never, count: ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0) },
})

it.each<[string, readonly (readonly Range[])[], readonly Range[]]>([
  ['one after the other', [[[1, 3]], [[4, 9]]], []],
  ['the later ones first', [[[6, 9]], [[4, 5]], [[1, 3]]], []],
  ['one within another', [[[1, 9]], [[1, 3]]], []],
  ['one within another, which comes last', [[[2, 3]], [[1, 9]]], []],
  ['several ranges', [[[1, 2], [5, 9]], [[3, 4]]], []],
  ['a gap', [[[1, 3]], [[6, 9]]], [[4, 5]]],
  ['a gap at each end', [[[4, 4]], [[3, 3]]], [[1, 2], [5, 9]]],
  ['none', [], [[1, 9]]],
])('of nine entries %s', (_, erasures, left) => {
  const watched = coverage()
  for (let sequence = 1; sequence <= 9; sequence++) watched.isErased(sequence)
  expect(erasures.map((ranges) => watched.accounts(erasureOf(...ranges)))).toEqual(erasures.map(() => true))
  expect([watched.uncovered(), watched.erased(), watched.erasures()]).toEqual([left, 9, erasures.length])
}) // prettier-ignore

it.each<[string, readonly Range[], boolean]>([
  ['entries before it', [[1, 3]], true],
  ['the entry right before it', [[99, 99]], true],
  ['several runs before it', [[1, 3], [5, 9], [99, 99]], true],
  ['itself', [[100, 100]], false],
  ['entries up to itself', [[1, 100]], false],
  ['an entry after it', [[101, 101]], false],
  ['itself, after one before it', [[1, 3], [100, 100]], false],
  ['an entry after it, after one before it', [[1, 3], [101, 101]], false],
  ['entries on both sides in one run, after others', [[1, 3], [90, 110]], false],
  ['an entry after it, after many before it', [[1, 3], [5, 9], [200, 200]], false],
  ['an entry after it, before others', [[101, 101], [1, 3]], false],
  ['a run that ends before it begins', [[3, 2], [5, 9]], false],
  ['runs that fall', [[5, 9], [1, 3]], false],
  ['runs that touch', [[1, 3], [4, 9]], false],
  ['one run twice', [[1, 3], [1, 3]], false],
  ['the entry before the first', [[0, 1]], false],
  ['nothing', [], false],
])('the hundredth entry may account for %s', (_, ranges, isRead) => {
  const watched = coverage()
  watched.isErased(2)
  watched.isErased(101)
  expect(watched.accounts(erasureOf(...ranges))).toBe(isRead)
  const left = isRead && ranges[0]![0] === 1 ? [[101, 101]] : [[2, 2], [101, 101]]
  expect(watched.uncovered()).toEqual(left)
}) // prettier-ignore

it.each<[string, Json | undefined, Json | undefined]>([
  ['which says nothing of itself', undefined, 100],
  ['which says null', null, 100],
  ['which says a list', [[1, 3]], 100],
  ['which says a text', 'all', 100],
  ['without ranges', { count: 3 }, 100],
  ['whose range is no range', { ranges: [7], count: 1 }, 100],
  ['whose range has one end', { ranges: [[1]], count: 1 }, 100],
  ['whose range has three numbers', { ranges: [[1, 3, 4]], count: 3 }, 100],
  ['whose range begins at no number', { ranges: [['1', 3]], count: 3 }, 100],
  ['whose range ends within an entry', { ranges: [[1, 1.5]], count: 1.5 }, 100],
  ['whose range is a text of two signs', { ranges: ['13'], count: 3 }, 100],
  ['that counts fewer', { ranges: [[1, 3]], count: 2 }, 100],
  ['that counts nothing', { ranges: [[1, 3]] }, 100],
  ['without a sequence', { ranges: [[1, 3]], count: 3 }, undefined],
  ['whose sequence is a text', { ranges: [[1, 3]], count: 3 }, '100'],
])('an erasure %s accounts for nothing', (_, erased, sequence) => {
  const watched = coverage()
  watched.isErased(2)
  const entry = { entry_type: 'erasure', ...(erased !== undefined && { erased }), ...(sequence !== undefined && { sequence }) }
  expect([watched.accounts(entry), watched.uncovered(), watched.erasures()]).toEqual([false, [[2, 2]], 1])
}) // prettier-ignore

it('what is no erasure accounts for nothing, and is none', () => {
  const watched = coverage()
  watched.isErased(2)
  const entry = { ...erasureOf([1, 3]), entry_type: 'invocation' }
  expect([watched.accounts(entry), watched.uncovered(), watched.erasures()]).toEqual([true, [[2, 2]], 0])
})

it.each<[string, readonly number[], unknown]>([
  ['nothing', [], { ranges: [], count: 0 }],
  ['one entry', [7], { ranges: [[7, 7]], count: 1 }],
  ['runs', [1, 2, 3, 5, 7, 8], { ranges: [[1, 3], [5, 5], [7, 8]], count: 6 }],
])('an erasure says of %s which it was', (_, sequences, erased) => {
  expect(erasedOf(sequences)).toEqual(erased)
}) // prettier-ignore

it('the entry of an erasure says who erased what, and why, and names no token', () => {
  expect(erasureDraft('service:retention', erasedOf([1]), 'Its time is over.', '2026-03-01T12:00:00.000Z')).toEqual({
    entry_type: 'erasure', invocation_id: null, capability: null, actor_key: 'service:retention', root_principal: 'service:retention', event_class: 'high_risk_success',
    success: true, failure_type: null, client_reference_id: null, task_id: null, parent_invocation_id: null, upstream_service: null, approval_request_id: null,
    approval_grant_id: null, token_id: null, delegation_chain: [], cost_actual: null, parameters: {}, erased: { ranges: [[1, 1]], count: 1 },
    detail: 'Its time is over.', timestamp: '2026-03-01T12:00:00.000Z',
  })
}) // prettier-ignore
