import { pino, type DestinationStream } from 'pino'
import type { EndedCall, Log } from '../definition.js'
import { StartUpError } from '../errors/start-up-error.js'

/** Members that are never written, whoever logs them. */
const SECRETS = ['authorization', 'token', 'bearer', 'credential', 'api_key', 'password', 'secret', 'parameters']
const LEVELS = ['debug', 'info', 'warn', 'error', 'silent']

/**
 * A log of one JSON object a line, on standard error unless told otherwise, from the level of `LOG_LEVEL` on. Secrets
 * are left out by name, at any depth of one. Under `svc dev` each call has a line for people, too.
 */
export function jsonLog(destination: DestinationStream = pino.destination({ dest: 2, sync: true })): Log {
  const { LOG_LEVEL, SVC_CALL_LINES } = process.env
  const logger = pino(
    {
      base: null,
      level: levelOf(LOG_LEVEL),
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)], remove: true },
    },
    destination,
  )
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
    ...(SVC_CALL_LINES === '1' && { call: (ended: EndedCall) => destination.write(callLine(ended)) }),
  }
}

/** An empty setting is none. */
function levelOf(given: string | undefined): string {
  if (given === undefined || given === '') return 'info'
  if (LEVELS.includes(given)) return given
  throw new StartUpError(`LOG_LEVEL is ${JSON.stringify(given)}. It takes ${LEVELS.join(', ')}.`)
}

const callLine = ({ capability, invocation_id, failure_type, ms }: EndedCall): string =>
  `${capability} ${failure_type ?? 'ok'} ${Math.round(ms)} ms ${invocation_id}\n`
