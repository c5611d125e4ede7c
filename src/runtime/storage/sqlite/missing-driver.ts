/** Reason that keeps a service from starting where it finds no SQLite. */
export const MISSING =
  'This Node has no SQLite of its own, and the package libsql is not installed. Run Node 22.13 or newer, or install ' +
  'it beside dist/: npm install libsql'
