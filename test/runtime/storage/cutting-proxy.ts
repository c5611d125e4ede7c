/** Stands between a client and PostgreSQL, and loses the line without closing it: what is sent meanwhile comes when it is mended. */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface CuttingProxy {
  readonly port: number
  cut(): void
  join(): void
  close(): void
}

export async function startCuttingProxy(port: number): Promise<CuttingProxy> {
  const sockets = new Set<Socket>()
  let isCut = false

  const serve = (client: Socket): void => {
    const upstream = connect(port, '127.0.0.1')
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const [from, to] of [[client, upstream], [upstream, client]] as const) {
      sockets.add(from)
      if (isCut) from.pause()
      from.on('data', (piece: Buffer) => to.write(piece))
      if (isCut) from.pause()
      from.on('error', end).on('close', () => {
        sockets.delete(from)
        end()
      })
    }
  } // prettier-ignore

  const server = createServer(serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    cut: () => {
      isCut = true
      for (const socket of sockets) socket.pause()
    },
    join: () => {
      isCut = false
      for (const socket of sockets) socket.resume()
    },
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
