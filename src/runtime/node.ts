/** What a Node process needs around a service: a server, its keys, its API keys (`svc-kit/runtime/node`). */
import type { Writable } from 'node:stream'
import { settledWithin } from './errors/settled-within.js'
import { answerOverHttp } from './http/answer.js'
import { listen, nodeServer, shut } from './http/server.js'
import { KeyTrouble } from './keys/key-directory.js'
import { maintain } from './lifecycle/maintenance.js'
import { Refusal } from './errors/refusal.js'
import type { Service } from './service.js'
import { StartUpError } from './errors/start-up-error.js'
import { StorageUnavailable } from './storage/contract.js'
import { answerLines } from './surfaces/stdio.js'

export { readKeyRing, readKeyRingText } from './keys/key-directory.js'
export { readApiKeys } from './auth/api-key-file.js'

export interface ServeOptions {
  /** `127.0.0.1` by default. */
  readonly host?: string
  /** 4100 by default; 0 for any free port. A setting may be given as it is written: only digits are a port. */
  readonly port?: number | string
}

export interface Running {
  readonly url: string
  /** Ends gracefully: not ready any more, requests in flight finish, then the trail is flushed. */
  close(): Promise<void>
}

/**
 * Serves over HTTP until it is closed; SIGTERM and SIGINT close it and end the process with code 0. Rejects with `StartUpError`
 * when the port cannot be used.
 */
export async function serve(
  service: Service,
  { host = '127.0.0.1', port = 4100 }: ServeOptions = {},
): Promise<Running> {
  const server = nodeServer(answerOverHttp(service), service.limits)
  const address = await listen(server, host, portOf(port))
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
  const rest = maintain(service)
  const forget = logCrashes(service)
  const close = once(async () => {
    service.lifecycle.draining = true
    await endedInTime(service, async () => {
      await shut(server, service.limits.shutdownMs)
      await rest()
      await service.close()
    })
    forget()
    deaf()
  })
  const deaf = onSignal(close)
  service.log.info('The service is listening.', { url, service_id: service.id })
  return { url, close }
}

/** An empty setting is no port; `Number` would take it for 0, which is any. */
const portOf = (port: number | string): number =>
  typeof port === 'number' || /^\d+$/u.test(port) ? Number(port) : Number.NaN

/**
 * Runs a server's main function. What keeps it from starting (a key that others may read, a port in use, a store that cannot be
 * opened, a signer that is away) is printed as one message that says what to do, and the process ends with code 2. A parent that
 * has opened a channel (`svc dev`, a process manager) is told `ready` when the server has started.
 */
export async function start(main: () => Promise<void>): Promise<void> {
  await main().catch((error: unknown) => {
    if (!isForTheOperator(error)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  })
  if (process.connected) process.send?.('ready', () => undefined)
}

const isForTheOperator = (error: unknown): error is Error =>
  error instanceof StartUpError ||
  error instanceof KeyTrouble ||
  error instanceof StorageUnavailable ||
  error instanceof Refusal ||
  (error instanceof Error && error.name === 'SchemaMismatch')

export interface StdioOptions {
  /** Standard input by default. */
  readonly input?: AsyncIterable<Uint8Array>
  /** Standard output by default. */
  readonly output?: Writable
}

/**
 * Serves over stdio, one JSON-RPC message a line, until the input ends or the process is told to: then what was read is answered and
 * the trail is flushed. Logs go to standard error.
 */
export async function serveStdio(
  service: Service,
  { input = process.stdin, output = process.stdout }: StdioOptions = {},
): Promise<void> {
  const told = new AbortController()
  const rest = maintain(service)
  const forget = logCrashes(service)
  const end = once(async () => {
    await endedInTime(service, async () => {
      await rest()
      await service.close()
    })
    forget()
    deaf()
  })
  const done = answerLines(service, until(input, told.signal), output).finally(end)
  const deaf = onSignal(async () => {
    told.abort()
    await Promise.race([done, passed(service.limits.shutdownMs)])
  })
  service.log.info('The service reads from standard input.', { service_id: service.id })
  return done
}

/** ms that the trail has for itself when requests took all of the grace. */
const FLUSH_MS = 1_000

/** A store that is away keeps no process that was told to end: what it did not take is recovered by another (section 6). */
async function endedInTime({ limits, log }: Service, work: () => Promise<void>): Promise<void> {
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

/** What an input gives until a signal ends it. */
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

/** An exception that nothing catches still ends the process, but not without a line in the log. Gives the way to stop that. */
function logCrashes({ log }: Service): () => void {
  const tell = (error: unknown) =>
    log.error('The process ends: an exception was not caught.', {
      error: error instanceof Error ? (error.stack ?? error.message) : typeof error,
    })
  process.on('uncaughtExceptionMonitor', tell)
  return () => void process.off('uncaughtExceptionMonitor', tell)
}

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

/** Ends the process when it is told to. Gives the way to stop listening for that. */
function onSignal(close: () => Promise<void>): () => void {
  const end = () => void close().then(() => process.exit(0))
  for (const signal of SIGNALS) process.once(signal, end)
  return () => {
    for (const signal of SIGNALS) process.off(signal, end)
  }
}

const SIGNALS = ['SIGTERM', 'SIGINT'] as const
