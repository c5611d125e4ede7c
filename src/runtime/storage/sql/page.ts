/** Pages by bytes: rows are counted by their lengths before any of them is read (decisions, section 20; threat N28). */
import { PAGE_BYTES } from '../../limits.js'
import { optionalInteger } from './columns.js'
import { rows, type StoragePlan, type Value } from './plan.js'

/**
 * The number of rows that fit into a page, one at least, and `limit` where all do. The statement gives the `bytes` of
 * each, in the order in which they will be read.
 */
export function* fitting(limit: number, sql: string, ...values: readonly Value[]): StoragePlan<number> {
  if (limit <= 1) return limit
  let total = 0
  for (const [at, row] of (yield* rows(sql, ...values)).entries()) {
    total += optionalInteger(row, 'bytes') ?? 0
    if (total > PAGE_BYTES) return Math.max(1, at)
  }
  return limit
}
