/** Results of a case: `not_applicable` is about the service, `not_tried` about the credentials and samples of the run. */
export const RESULTS = ['passed', 'failed', 'not_applicable', 'not_tried'] as const
