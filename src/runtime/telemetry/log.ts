import { pino, type DestinationStream } from 'pino'
import type { Log } from '../definition.js'

/** Members that are never written, whoever logs them. */
const SECRETS = ['authorization', 'token', 'bearer', 'credential', 'api_key', 'password', 'secret', 'parameters']

/**
 * A log of one JSON object a line, on standard error unless told otherwise. Secrets are left out by name, at any depth
 * of one.
 */
export function jsonLog(destination?: DestinationStream): Log {
  const logger = pino(
    {
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)], remove: true },
    },
    destination ?? pino.destination({ dest: 2, sync: true }),
  )
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
  }
}
