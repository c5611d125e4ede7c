import type { JsonObject } from '../../protocol/manifest.js'
import type { Log } from '../definition.js'

export interface LogLine {
  readonly level: keyof Log
  readonly message: string
  readonly fields?: JsonObject
}

/** A log that keeps its lines, for a test to read. */
export function keptLog(): { readonly log: Log; readonly lines: readonly LogLine[] } {
  const lines: LogLine[] = []
  const at = (level: keyof Log) => (message: string, fields?: JsonObject) =>
    void lines.push({ level, message, ...(fields && { fields }) })
  return { log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') }, lines }
}

/** The same log; errors are printed, too: what a handler threw, its caller is not told. */
export const withErrorsPrinted = (log: Log): Log => ({
  ...log,
  error: (message, fields) => {
    log.error(message, fields)
    console.error(message, fields ?? '')
  },
})
