import { chmodSync, lstatSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { connect } from 'node:net'
import { CliError } from '../shared/errors/cli-error.js'

export interface TlsFiles {
  readonly cert?: string
  readonly key?: string
  readonly ca?: string
  readonly client?: readonly string[]
}

const BOUNDS = {
  requestTimeout: 10_000,
  headersTimeout: 5_000,
  keepAliveTimeout: 60_000,
  maxHeaderSize: 8_192,
} as const
const MOST_CONNECTIONS = 256

/** Listens on a unix socket that only its owner, or its group too, may use. */
export async function listenOnSocket(listener: RequestListener, path: string, mode: number): Promise<Server> {
  await removeLeftOver(path)
  const server = bounded(createServer(BOUNDS, listener))
  // Until its mode is set, nobody else may use it.
  const before = process.umask(0o177)
  await listening(server, { path }).finally(() => process.umask(before))
  chmodSync(path, mode)
  return server
}

/** A signer that was killed leaves its socket; one that runs keeps it. */
async function removeLeftOver(path: string): Promise<void> {
  const found = lstatSync(path, { throwIfNoEntry: false })
  if (found === undefined) return
  if (!found.isSocket()) throw new CliError(`${path} is there and no socket. Name another --socket.`)
  if (await isAnswered(path))
    throw new CliError(`Another process listens on ${path}. End it, or name another --socket.`)
  rmSync(path)
}

const isAnswered = (path: string): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(path, () => resolve(true)).on('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })

/** Listens for mutual TLS: who has no certificate of the authority is no caller. */
export async function listenForTls(listener: RequestListener, address: string, files: TlsFiles): Promise<Server> {
  const { cert, key, ca } = files
  if (cert === undefined || key === undefined || ca === undefined || files.client === undefined)
    throw new CliError('Mutual TLS needs --cert, --key, --ca and --client.')
  const [, host = '', port = ''] = /^(.+):(\d{1,5})$/u.exec(address) ?? []
  if (host === '') throw new CliError(`--listen ${address} must be a host and a port, as 127.0.0.1:4150.`)
  const [own, secret, authority] = await Promise.all([cert, key, ca].map(readPem))
  const identity = { cert: own, key: secret, ca: authority, minVersion: 'TLSv1.3' } as const
  const trust = { requestCert: true, rejectUnauthorized: true, handshakeTimeout: 5_000 }
  const server = bounded(createTlsServer({ ...BOUNDS, ...identity, ...trust }, listener))
  await listening(server, { host: host.replace(/^\[|\]$/gu, ''), port: Number(port) })
  return server
}

const readPem = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: unknown) => {
    throw new CliError(`${file} cannot be read: ${String(error)}`)
  })

function bounded<Listening extends Server>(server: Listening): Listening {
  server.maxConnections = MOST_CONNECTIONS
  return server
}

const listening = (server: Server, place: object): Promise<void> =>
  new Promise((resolve, reject) => {
    server.on('error', (error) => reject(new CliError(`The signer cannot listen: ${error.message}`)))
    server.listen(place, resolve)
  })
