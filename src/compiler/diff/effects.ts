/** Effects of a change on callers and on those who govern. A change may break and weaken at once. */
export const EFFECTS = ['breaking', 'weakened', 'unbumped', 'compatible'] as const
export type Effect = (typeof EFFECTS)[number]

/** Effects that make a comparison fail. */
export const FAIL_ON = ['breaking', 'weakened', 'unbumped'] as const
export type FailOn = (typeof FAIL_ON)[number]
