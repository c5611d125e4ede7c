/** Process around a service: it stops in time on a signal, and logs it. */
import { Readable, type Writable } from 'node:stream'
import { settledWithin } from '../errors/settled-within.js'
import { endSessions } from '../net/open-sessions.js'
import type { Service } from '../service.js'
import { maintain } from './maintenance.js'
import { reasonOf } from '../errors/reason.js'

export interface Streams {
  /** Standard input by default. */
  readonly input?: AsyncIterable<Uint8Array> | undefined
  /** Standard output by default. */
  readonly output?: Writable | undefined
}

/** Answers what comes from a pair of streams until the input ends or the process is told to end. */
export async function serveOverStreams(
  service: Service,
  answer: (input: AsyncIterable<Uint8Array>, output: Writable) => Promise<void>,
  { input = process.stdin, output = process.stdout }: Streams = {},
): Promise<void> {
  const ended = new AbortController()
  // A pair of streams is this machine's.
  service.apiKeys.takeDevelopmentKeys()
  const rest = maintain(service)
  const forget = logCrashes(service)
  const closeLast = once(() => endLast(service))
  const end = once(async () => {
    await endedInTime(service, async () => {
      await rest()
      await service.close()
    })
    forget()
    deaf()
    // An answer may end before its input does: what nobody reads any more keeps no process.
    if (input instanceof Readable) input.destroy()
    // The process ends with its own input; another one may be followed by more.
    if (input === process.stdin) await closeLast()
  })
  const done = answer(until(input, ended.signal), output).finally(end)
  const deaf = onSignal(async () => {
    ended.abort()
    await Promise.race([done, passed(service.limits.shutdownMs)])
  }, closeLast)
  service.log.info('The service reads from standard input.', { service_id: service.id })
  return done
}

/** ms that the trail has for itself when requests took all of the grace. */
const FLUSH_MS = 1_000

/**
 * A store that is away keeps no process that was told to end: what it did not take is recovered by another (section 6).
 */
export async function endedInTime({ limits, log }: Service, work: () => Promise<void>): Promise<void> {
  let error = 'The time is over.'
  const ended = work().then(
    () => true,
    (reason: unknown) => void (error = String(reason)),
  )
  if ((await settledWithin(ended, limits.shutdownMs + FLUSH_MS)) === true) return
  log.warn('The service ends before the store has taken all: what is missing is recovered by the next process.', {
    error,
  })
}

const passed = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Yields an input until a signal ends it. */
async function* until(input: AsyncIterable<Uint8Array>, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const told = new Promise<{ readonly done: true }>((resolve) =>
    signal.addEventListener('abort', () => resolve({ done: true })),
  )
  const chunks = input[Symbol.asyncIterator]()
  for (;;) {
    const next = await Promise.race([chunks.next(), told])
    if (next.done === true) return
    yield next.value
  }
}

/**
 * An exception that nothing catches still ends the process, but not without a line in the log. Gives the way to stop
 * that.
 */
export function logCrashes({ log }: Service): () => void {
  const tell = (error: unknown) =>
    log.error('The process ends: an exception was not caught.', {
      error: reasonOf(error),
    })
  process.on('uncaughtExceptionMonitor', tell)
  return () => void process.off('uncaughtExceptionMonitor', tell)
}

export const once = <Result>(work: () => Promise<Result>): (() => Promise<Result>) => {
  let done: Promise<Result> | undefined
  return () => (done ??= work())
}

/** Ends what a process leaves that ends: its store, and its sessions with servers behind. */
export const endLast = (service: Service): Promise<unknown> => Promise.all([closeStore(service), endSessions()])

/** Closes the store, so that a SQLite file is complete without its log (decisions, section 20). */
export async function closeStore({ storage, log }: Service): Promise<void> {
  const closed = storage
    .close()
    .catch((error: unknown) => log.warn('The store could not be closed.', { error: String(error) }))
  await settledWithin(closed, FLUSH_MS)
}

/** Ends the process when it is told to, and last its store. Gives the way to stop listening for that. */
export function onSignal(close: () => Promise<void>, closeLast: () => Promise<unknown>): () => void {
  const end = () =>
    void close()
      .then(closeLast)
      .then(() => process.exit(0))
  for (const signal of SIGNALS) process.once(signal, end)
  return () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
