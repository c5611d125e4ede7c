export interface Report {
  readonly title: string
  readonly pages: number
}

const reports = new Map<string, Report>()

export const findReport = (id: string): Report | undefined => reports.get(id)

export function addReport(id: string, report: Report): void {
  reports.set(id, report)
}
