import type { Severity } from '../diagnostics.js'

/** Codes of the structure whose findings do not make a value unusable. */
const HARMLESS: ReadonlySet<string> = new Set(['SVC5008', 'SVC5009'])

export const severityOf = (code: string): Severity => (HARMLESS.has(code) ? 'warning' : 'error')
