import { expect, it } from 'vitest'
import {
  appendLeaves,
  emptyRoot,
  frontierNodes,
  leafHash,
  nodeHash,
  perfectNodes,
  rootOf,
  splitOf,
} from '../../src/crypto/merkle/merkle.js'

const hex = (hash: Uint8Array) => Buffer.from(hash).toString('hex')
const places = (nodes: readonly { readonly level: number; readonly index: number }[]) =>
  nodes.map(({ level, index }) => [level, index])

it('a leaf is SHA-256 of a zero byte and its text, or its bytes', () => {
  const expected = '022a6979e6dab7aa5ae4c3e5e45f7e977112a7e63593820dbec1ec738a24f93c'
  expect(['a', Buffer.from('a')].map((leaf) => hex(leafHash(leaf)))).toEqual([expected, expected])
  const bytes = '06eb7d6a69ee19e5fbdf749018d3d2abfa04bcbd1365db312eb86dc7169389b8'
  expect(hex(leafHash(Uint8Array.of(0xff)))).toBe(bytes)
})

it('a node is SHA-256 of a one byte and its two sides', () => {
  expect(hex(nodeHash(leafHash('a'), leafHash('b')))).toBe(
    'b137985ff484fb600db93107c77b0365c80d78f5b429ded0fd97361d077999eb',
  )
})

it('the root of nothing is SHA-256 of nothing', () => {
  const expected = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
  expect([emptyRoot(), rootOf([])].map(hex)).toEqual([expected, expected])
})

it('each node is given as soon as it is complete', () => {
  const leaves = ['a', 'b', 'c', 'd'].map((leaf) => leafHash(leaf))
  const { nodes, frontier } = appendLeaves([], 0, leaves)
  expect(places(nodes)).toEqual([[0, 0], [0, 1], [1, 0], [0, 2], [0, 3], [1, 1], [2, 0]])
  expect(frontier.map(hex)).toEqual([hex(nodes.at(-1)!.hash)])
}) // prettier-ignore

it.each([
  [0, []], [1, [[0, 0]]], [2, [[1, 0]]], [3, [[1, 0], [0, 2]]], [4, [[2, 0]]], [7, [[2, 0], [1, 2], [0, 6]]], [8, [[3, 0]]],
])('a tree of %i is made of as few nodes as can be', (size, expected) => {
  expect(places(frontierNodes(size))).toEqual(expected)
}) // prettier-ignore

it('a part of a tree is, too', () => {
  expect(places(perfectNodes(4, 7))).toEqual([[1, 2], [0, 6]])
  expect(places(perfectNodes(4, 8))).toEqual([[2, 1]])
}) // prettier-ignore

it.each([[2, 1], [3, 2], [4, 2], [5, 4], [8, 4], [9, 8]])('a tree of %i is split at %i', (size, split) => {
  expect(splitOf(size)).toBe(split)
}) // prettier-ignore
