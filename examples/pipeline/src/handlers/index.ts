export { computeFigures } from './compute_figures.js'
export { findAccounts } from './find_accounts.js'
export { readReport } from './read_report.js'
export { writeReport } from './write_report.js'
