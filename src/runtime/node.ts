/** What a Node process needs around a service: a server, its keys, its API keys (`svc-kit/runtime/node`). */
import { fetchHandler } from './http/fetch.js'
import { listen, nodeServer, shut } from './http/server.js'
import { KeyTrouble } from './key-directory.js'
import { maintain } from './maintenance.js'
import type { Service } from './service.js'
import { StartUpError } from './start-up.js'
import { StorageUnavailable } from './storage/contract.js'

export { readKeyRing, readKeyRingText } from './key-directory.js'
export { readApiKeys } from './authn/api-key-file.js'

export interface ServeOptions {
  /** `127.0.0.1` by default. */
  readonly host?: string
  /** 4100 by default; 0 for any free port. */
  readonly port?: number
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
  const server = nodeServer(fetchHandler(service), service.limits)
  const address = await listen(server, host, port)
  const url = `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`
  const rest = maintain(service)
  const close = once(async () => {
    service.lifecycle.draining = true
    await shut(server, service.limits.shutdownMs)
    await rest()
    await service.close()
  })
  onSignal(close)
  service.log.info('The service is listening.', { url, service_id: service.id })
  return { url, close }
}

/**
 * Runs a server's main function. What keeps it from starting (a key that others may read, a port in use, a store that cannot be
 * opened) is printed as one message that says what to do, and the process ends with code 2.
 */
export async function start(main: () => Promise<void>): Promise<void> {
  await main().catch((error: unknown) => {
    if (!isForTheOperator(error)) throw error
    process.stderr.write(`${error.message}\n`)
    process.exit(2)
  })
}

const isForTheOperator = (error: unknown): error is Error =>
  error instanceof StartUpError || error instanceof KeyTrouble || error instanceof StorageUnavailable

const once = (work: () => Promise<void>): (() => Promise<void>) => {
  let done: Promise<void> | undefined
  return () => (done ??= work())
}

function onSignal(close: () => Promise<void>): void {
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => void close().then(() => process.exit(0)))
}
