import type { ReadReportHandler } from '../../generated/handlers.js'
import type { ReadReportOutput } from '../../generated/types.js'
import { findReport } from '../reports.js'

/** Read a report that was written before. */
export const readReport: ReadReportHandler = ({ report_id }, { fail }): ReadReportOutput => {
  const report = findReport(report_id)
  return report === undefined ? fail('report_unknown', `There is no report ${report_id}.`) : { ...report }
}
