/** A sender of bytes: each endpoint of the program's own tables, with requests that are unfinished, slow, many and large. */
import type { Server } from 'node:http'
import { connect, type AddressInfo, type Socket } from 'node:net'
import { ROUTES } from '../../src/console/routes.js'
import { CONSOLE_ROOT } from '../../src/console/setting.js'
import { ENDPOINTS } from '../../src/protocol/endpoints.js'

/** A place that a stranger can send bytes to. */
export interface Row {
  readonly method: string
  readonly path: string
}

/** Endpoints of the service and of its console, as their tables have them. */
export const rowsOf = (): readonly Row[] =>
  [...Object.values(ENDPOINTS), ...ROUTES.map(({ method, path }) => ({ method, path: CONSOLE_ROOT + path }))].map(
    ({ method, path }) => ({ method, path: path.replaceAll(/\{\w+\}/gu, 'x') }),
  )

/** A service that is attacked, and how it is asked whether it still answers. */
export interface Attacked {
  readonly port: number
  /** Rejects, or resolves with what is wrong, where those who must be answered are not. */
  readonly answers: () => Promise<string | undefined>
}

export const portOf = (server: Server): number => (server.address() as AddressInfo).port

export const KINDS = ['unfinished', 'slow', 'many', 'large'] as const
export type Kind = (typeof KINDS)[number]

type Attack = (attacked: Attacked, row: Row) => Promise<string | undefined>

/** For each kind: a hole as a sentence, or undefined. */
export const ATTACKS: { readonly [kind in Kind]: Attack } = {
  unfinished: async ({ port, answers }, row) => {
    const sockets = await inTurn((at) => opened(port, headOf(row, at % 2 === 0 ? '' : 'content-length: 100\r\n\r\n{')))
    const hole = await answers()
    for (const socket of sockets) socket.destroy()
    return hole
  },
  slow: async ({ port }, row) => {
    const socket = await opened(port, headOf(row, ''))
    const dribble = setInterval(() => socket.write('x'), 50)
    const closed = await Promise.race([closing(socket), later(LONGEST_MS)])
    clearInterval(dribble)
    socket.destroy()
    return closed === undefined ? `is still read after ${LONGEST_MS} ms, a byte at a time.` : undefined
  },
  many: async ({ port, answers }, row) => {
    const sockets = await inTurn(() => opened(port, headOf(row, 'content-length: 2\r\n\r\n{}')))
    const hole = await answers()
    for (const socket of sockets) socket.destroy()
    return hole
  },
  large: async ({ port, answers }, row) => {
    const socket = await opened(port, headOf(row, 'transfer-encoding: chunked\r\n\r\n'))
    const chunk = `1000\r\n${' '.repeat(4096)}\r\n`
    let answer = ''
    socket.on('data', (part: Buffer) => (answer += part.toString('latin1')))
    const closed = closing(socket)
    for (let sent = 0; sent < 512 && !socket.destroyed; sent++) {
      socket.write(chunk)
      if (sent % 16 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    if (!socket.destroyed) socket.write('0\r\n\r\n')
    await Promise.race([closed, until(() => answer !== ''), later(LONGEST_MS)])
    socket.destroy()
    const status = Number(/^HTTP\/1\.1 (\d{3})/u.exec(answer)?.[1] ?? 0)
    if (answer === '' && (await Promise.race([closed, later(LONGEST_MS)])) === undefined) return 'is neither answered nor closed after 2 MB.'
    return row.method === 'POST' && status >= 200 && status < 300 ? `takes 2 MB: ${status}.` : answers()
  },
} // prettier-ignore

/** Connections of an attack; a service under attack has fewer. */
export const MORE_THAN_THERE_ARE = 30
const LONGEST_MS = 8_000

/** Connections that come one after another, so that each is read before the next. */
async function inTurn(open: (at: number) => Promise<Socket>): Promise<readonly Socket[]> {
  const sockets: Socket[] = []
  while (sockets.length < MORE_THAN_THERE_ARE) {
    sockets.push(await open(sockets.length))
    await new Promise((resolve) => setTimeout(resolve, 3))
  }
  return sockets
}

const headOf = ({ method, path }: Row, rest: string): string =>
  `${method} ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\n${rest}`

function opened(port: number, text: string): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  return new Promise((resolve) => {
    socket.on('error', () => resolve(socket))
    socket.write(text, () => resolve(socket))
  })
}

const closing = (socket: Socket): Promise<'closed'> =>
  new Promise((resolve) => {
    socket.on('close', () => resolve('closed'))
    socket.resume()
  })

const later = (ms: number): Promise<undefined> =>
  new Promise((resolve) => setTimeout(() => resolve(undefined), ms).unref())

async function until(holds: () => boolean): Promise<'held'> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
  return 'held'
}

/** What a sender gets past the service, as sentences; and how much was tried. */
export async function holesIn(
  attacked: Attacked,
  rows: readonly Row[],
  kinds: readonly string[] = KINDS,
): Promise<{ readonly holes: readonly string[]; readonly attacks: number }> {
  const attack = async (kind: string, row: Row): Promise<readonly string[]> => {
    const own = (ATTACKS as { readonly [kind: string]: Attack | undefined })[kind]
    const place = `${row.method} ${row.path}, ${kind}`
    if (own === undefined) return [`${place}: there is no attack; write it in sender.ts.`]
    const hole = await own(attacked, row).catch((error: unknown) => `those who must be answered are not: ${String(error)}`)
    return hole === undefined ? [] : [`${place}: ${hole}`]
  } // prettier-ignore
  const holes: string[] = []
  const [together, apart] = [kinds.filter((kind) => kind === 'slow'), kinds.filter((kind) => kind !== 'slow')]
  // A slow request costs time alone: all at once, as many as there are connections for.
  for (let at = 0; at < rows.length; at += SLOW_AT_ONCE)
    for (const kind of together)
      holes.push(...(await Promise.all(rows.slice(at, at + SLOW_AT_ONCE).map((row) => attack(kind, row)))).flat())
  for (const row of rows) for (const kind of apart) holes.push(...(await attack(kind, row)))
  return { holes, attacks: rows.length * kinds.length }
}

const SLOW_AT_ONCE = 15
