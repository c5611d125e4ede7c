import { pino, type DestinationStream } from 'pino'
import type { EndedCall, Log } from '../definition.js'
import { StartUpError } from '../errors/start-up-error.js'
import { boundedLog, standardError } from './standard-error.js'

/** Members that are never written, whoever logs them. */
const SECRETS = ['authorization', 'token', 'bearer', 'credential', 'api_key', 'password', 'secret', 'parameters']
const LEVELS = ['debug', 'info', 'warn', 'error', 'silent']

export interface LogOptions {
  /** The least that is written, `info` by default: a service hands on `LOG_LEVEL`. */
  readonly level?: string | undefined
  /** True to write all lines for people, and one about each call, as `svc dev` does. */
  readonly calls?: boolean
  readonly destination?: DestinationStream
}

/**
 * A log of one JSON object a line, on standard error unless told otherwise. Secrets are left out by name, at any depth
 * of one.
 */
export function jsonLog({ level, calls, destination }: LogOptions = {}): Log {
  const bounded = destination === undefined ? boundedLog(standardError()) : undefined
  const target = destination ?? { write: bounded!.write }
  const logger = pino(
    {
      base: null,
      level: levelOf(level),
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: { paths: [...SECRETS, ...SECRETS.map((name) => `*.${name}`)], remove: true },
    },
    calls === true ? { write: (line) => target.write(lineForPeople(line)) } : target,
  )
  return {
    debug: (message, fields) => logger.debug(fields ?? {}, message),
    info: (message, fields) => logger.info(fields ?? {}, message),
    warn: (message, fields) => logger.warn(fields ?? {}, message),
    error: (message, fields) => logger.error(fields ?? {}, message),
    ...(bounded !== undefined && { dropped: bounded.dropped }),
    ...(calls === true && { call: (ended: EndedCall) => target.write(callLine(ended)) }),
  }
}

/** An empty setting is none. */
function levelOf(given: string | undefined): string {
  if (given === undefined || given === '') return 'info'
  if (LEVELS.includes(given)) return given
  throw new StartUpError(`LOG_LEVEL is ${JSON.stringify(given)}. It takes ${LEVELS.join(', ')}.`)
}

/** The message of a line of the log, and its fields, without what steers a terminal (threat N27). */
function lineForPeople(line: string): string {
  const { level, time: _, msg, ...fields } = JSON.parse(line) as { readonly [member: string]: unknown }
  const word = level === 50 ? 'error: ' : level === 40 ? 'warning: ' : ''
  const shown = (value: unknown): string =>
    typeof value === 'string' && /^[!-~]+$/u.test(value) ? value : JSON.stringify(value)
  const listed = Object.entries(fields).map(([name, value]) => `  ${name}=${shown(value)}`)
  const text = `${word}${JSON.stringify(msg).slice(1, -1).replaceAll('\\"', '"')}${listed.join('')}`
  return `${text.replaceAll(UNSEEN, escaped)}\n`
}

/** Characters that JSON leaves as they are: some terminals take U+009B for the beginning of a command. */
const UNSEEN = /[\u007F-\u009F\u2028\u2029\p{Cf}]/gu

/** By UTF-16 units, as JSON writes them. */
const escaped = (character: string): string =>
  Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('')

const callLine = ({ capability, invocation_id, failure_type, ms }: EndedCall): string =>
  `${capability} ${failure_type ?? 'ok'} ${Math.round(ms)} ms ${invocation_id}\n`
