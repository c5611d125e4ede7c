/** Stands between the replicas and a database: it can be turned to another one, delay, drop connections, or lose the line without closing it. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'

export interface Proxy {
  readonly port: number
  /** Where new connections go; those that are open are dropped. */
  turnTo(port: number): void
  /** How long each piece is held back, in ms. */
  delay(ms: number): void
  /** How many connections were opened to the other side, ever. */
  opened(): number
  /** Closes every connection. */
  drop(): void
  /** Which ways lose what is sent, without a word to either side. */
  lose(ways: { readonly toServer: boolean; readonly toClient: boolean }): void
  close(): void
}

export async function startProxy(target: number): Promise<Proxy> {
  const pairs = new Set<readonly [Socket, Socket]>()
  let to = target
  let delayMs = 0
  let opened = 0
  let lost = { toServer: false, toClient: false }

  /** Pieces keep their order; each waits at least as long as the delay is when it comes. Gives when all are there. */
  const carry = (from: Socket, into: Socket, way: keyof typeof lost): (() => Promise<void>) => {
    let before = Promise.resolve()
    from.on('data', (piece: Buffer) => {
      if (lost[way]) return
      before = Promise.all([before, sleep(delayMs)]).then(() => void into.write(piece))
    })
    return () => before
  }

  const server = createServer((client) => {
    const upstream = connect(to, '127.0.0.1')
    opened += 1
    const pair = [client, upstream] as const
    pairs.add(pair)
    const ways = [
      [client, upstream, carry(client, upstream, 'toServer')],
      [upstream, client, carry(upstream, client, 'toClient')],
    ] as const
    for (const [socket, other, carried] of ways) {
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', () => {
        pairs.delete(pair)
        void carried().then(() => other.destroySoon())
      })
    }
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const drop = (): void => {
    for (const [client] of pairs) client.destroy()
  }
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    turnTo: (port) => {
      to = port
      drop()
    },
    delay: (ms) => void (delayMs = ms),
    opened: () => opened,
    drop,
    lose: (ways) => void (lost = { ...ways }),
    close: () => {
      server.close()
      drop()
    },
  }
}
