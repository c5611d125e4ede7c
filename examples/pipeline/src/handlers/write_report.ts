import type { WriteReportHandler } from '../../generated/handlers.js'
import type { WriteReportOutput } from '../../generated/types.js'
import { addReport } from '../reports.js'

/** Write the report of a quarter, and report each page while it is written. */
export const writeReport: WriteReportHandler = async (
  { title, pages },
  { invocation, progress, signal },
): Promise<WriteReportOutput> => {
  for (let page = 1; page <= pages; page++) {
    signal.throwIfAborted()
    await progress({ page, of: pages })
  }
  const report_id = `rep-${invocation.invocation_id}`
  addReport(report_id, { title, pages })
  return { report_id, pages }
}
