/** Results of a case. */
export const RESULTS = ['passed', 'failed', 'not_applicable'] as const
