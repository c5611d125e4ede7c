import type { Failure } from '../../../protocol/failures.js'

/** A check says what holds; it awaits nothing, changes nothing, and gives the failure when it does not hold. */
export type Check<Facts> = (facts: Facts) => Failure | undefined
