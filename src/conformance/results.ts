/** How a case may end. */
export const RESULTS = ['passed', 'failed', 'not_applicable'] as const
