import { describe, expect, it } from 'vitest'
import { appendLeaves, leafHash, rootOf } from '../../src/crypto/merkle/merkle.js'
import {
  verifyConsistency,
  verifyInclusion,
  verifySubtreeConsistency,
  verifySubtreeInclusion,
} from '../../src/crypto/merkle/merkle-verify.js'
import { forSet, vectorJson } from './vectors.js'

const SET = 'merkle-rfc6962'

const bytes = (base64: string | null): Uint8Array => Buffer.from(base64 ?? '', 'base64')
const path = (proof: readonly string[] | null): readonly Uint8Array[] => (proof ?? []).map(bytes)

interface Case {
  readonly desc: string
  readonly ['_file']: string
  readonly wantErr: boolean
  readonly proof: readonly string[] | null
}

const cases = <T extends Case>(file: string) =>
  vectorJson<readonly T[]>(SET, file).map((each) => [`${each['_file']}: ${each.desc}`, each] as const)

forSet(SET, ['rfc6962-roots.json'], () => {
  describe('RFC 6962: roots', () => {
    const { leaf_inputs_hex: leaves, root_hex_by_tree_size: roots } = vectorJson<{
      readonly leaf_inputs_hex: readonly string[]
      readonly root_hex_by_tree_size: readonly string[]
    }>(SET, 'rfc6962-roots.json')
    it.each(roots.map((root, size) => [size, root] as const))('of size %i', (size, root) => {
      const hashes = leaves.slice(0, size).map((leaf) => leafHash(Buffer.from(leaf, 'hex')))
      expect(Buffer.from(rootOf(appendLeaves([], 0, hashes).frontier)).toString('hex')).toBe(root)
    })
  })
})

forSet(SET, ['inclusion.json'], () => {
  describe('RFC 9162: inclusion', () => {
    interface Inclusion extends Case {
      readonly leafIdx: number
      readonly treeSize: number
      readonly root: string | null
      readonly leafHash: string | null
    }
    it.each(cases<Inclusion>('inclusion.json'))(
      '%s',
      (_, { leafIdx, treeSize, root, leafHash: leaf, proof, wantErr }) => {
        const claim = { leafHash: bytes(leaf), index: leafIdx, size: treeSize, path: path(proof), root: bytes(root) }
        expect(verifyInclusion(claim)).toBe(!wantErr)
      },
    )
  })
})

forSet(SET, ['consistency.json'], () => {
  describe('RFC 9162: consistency', () => {
    interface Consistency extends Case {
      readonly size1: number
      readonly size2: number
      readonly root1: string | null
      readonly root2: string | null
    }
    it.each(cases<Consistency>('consistency.json'))('%s', (_, { size1, size2, root1, root2, proof, wantErr }) => {
      const claim = { fromSize: size1, fromRoot: bytes(root1), toSize: size2, toRoot: bytes(root2), path: path(proof) }
      expect(verifyConsistency(claim)).toBe(!wantErr)
    })
  })
})

forSet(SET, ['subtreeinclusion.json'], () => {
  describe('subtrees: inclusion', () => {
    interface Inclusion extends Case {
      readonly leafIdx: number
      readonly start: number
      readonly end: number
      readonly root: string | null
      readonly leafHash: string | null
    }
    it.each(cases<Inclusion>('subtreeinclusion.json'))(
      '%s',
      (_, { leafIdx, start, end, root, leafHash: leaf, proof, wantErr }) => {
        const claim = { leafHash: bytes(leaf), index: leafIdx, start, end, path: path(proof), root: bytes(root) }
        expect(verifySubtreeInclusion(claim)).toBe(!wantErr)
      },
    )
  })
})

forSet(SET, ['subtreeconsistency.json'], () => {
  describe('subtrees: consistency', () => {
    interface Consistency extends Case {
      readonly start: number
      readonly end: number
      readonly size: number
      readonly root1: string | null
      readonly root2: string | null
    }
    it.each(cases<Consistency>('subtreeconsistency.json'))(
      '%s',
      (_, { start, end, size, root1, root2, proof, wantErr }) => {
        const claim = { start, end, size, subtreeRoot: bytes(root1), root: bytes(root2), path: path(proof) }
        expect(verifySubtreeConsistency(claim)).toBe(!wantErr)
      },
    )
  })
})
