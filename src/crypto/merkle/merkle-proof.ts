/**
 * Subtrees that a proof needs, and the proof made of them (RFC 9162, sections 2.1.3 and 2.1.4). Deciding is pure; the
 * caller fetches. Each element of a path is a subtree that may be ragged on its right edge, so it is folded from
 * perfect ones.
 */
import { perfectNodes, rootOf, splitOf, type TreeNodeId } from './merkle.js'

/** The elements of a path, each as the perfect subtrees that it is folded from. */
export type ProofPlan = readonly (readonly TreeNodeId[])[]

/**
 * The plan of the inclusion proof for a leaf in a tree of the given size. Throws `RangeError` unless the leaf is in it.
 */
export function planInclusion(index: number, size: number): ProofPlan {
  if (!Number.isSafeInteger(index) || !Number.isSafeInteger(size) || index < 0 || index >= size)
    throw new RangeError(`A tree of size ${size} has no leaf ${index}.`)
  const plan: (readonly TreeNodeId[])[] = []
  let [start, end] = [0, size]
  while (end - start > 1) {
    const middle = start + splitOf(end - start)
    if (index < middle) {
      plan.push(perfectNodes(middle, end))
      end = middle
    } else {
      plan.push(perfectNodes(start, middle))
      start = middle
    }
  }
  return plan.toReversed()
}

/** The plan of the consistency proof between two sizes. Throws `RangeError` unless 0 < from ≤ to. */
export function planConsistency(from: number, to: number): ProofPlan {
  if (!Number.isSafeInteger(from) || !Number.isSafeInteger(to) || from < 1 || from > to)
    throw new RangeError(`There is no consistency proof from size ${from} to size ${to}.`)
  const plan: (readonly TreeNodeId[])[] = []
  let [start, end] = [0, to]
  while (end !== from) {
    const middle = start + splitOf(end - start)
    if (from <= middle) {
      plan.push(perfectNodes(middle, end))
      end = middle
    } else {
      plan.push(perfectNodes(start, middle))
      start = middle
    }
  }
  // The verifier knows the old tree as a whole, but not a part of it.
  if (start > 0) plan.push(perfectNodes(start, end))
  return plan.toReversed()
}

/** The stored subtrees of a plan, in order. */
export const nodesOf = (plan: ProofPlan): readonly TreeNodeId[] => plan.flat()

/** The path of a plan, from the hashes of `nodesOf(plan)` in the same order. */
export function proofPathOf(plan: ProofPlan, hashes: readonly Uint8Array[]): readonly Uint8Array[] {
  let taken = 0
  return plan.map((nodes) => rootOf(hashes.slice(taken, (taken += nodes.length))))
}
