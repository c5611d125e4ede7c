/**
 * Stands between a client and PostgreSQL, and resets connections in the middle of a commit: of a transaction, or of the one statement by which intents
 * become durable.
 */
import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'

export interface CommitProxy {
  readonly port: number
  /** From now on, connections are reset before their commit reaches the server, or after it was done but not told. */
  reset(when: 'before' | 'after' | undefined): void
  close(): void
}

const ASKED = ['commit\0', '[{"invocation_id":']
const DONE = ['COMMIT\0', 'became\0']

/** Says of each piece of a stream whether it, or its seam with the last one, completes the word. */
function finder(word: Buffer): (piece: Buffer) => boolean {
  let seam = Buffer.alloc(0)
  return (piece) => {
    const seen = Buffer.concat([seam, piece])
    seam = seen.subarray(-word.length + 1)
    return seen.includes(word)
  }
}

/** The same for several words; each sees every piece. */
function finderOfAny(words: readonly string[]): (piece: Buffer) => boolean {
  const finders = words.map((word) => finder(Buffer.from(word)))
  return (piece) => finders.map((finds) => finds(piece)).includes(true)
}

export async function startCommitProxy(port: number): Promise<CommitProxy> {
  let mode: 'before' | 'after' | undefined
  const sockets = new Set<Socket>()

  const serve = (client: Socket): void => {
    const upstream = connect(port, '127.0.0.1')
    const end = (): void => {
      client.destroy()
      upstream.destroy()
    }
    for (const socket of [client, upstream]) {
      sockets.add(socket)
      socket.on('error', end).on('close', () => {
        sockets.delete(socket)
        end()
      })
    }
    const [asks, tells] = [finderOfAny(ASKED), finderOfAny(DONE)]
    client.on('data', (piece: Buffer) => (asks(piece) && mode === 'before' ? end() : upstream.write(piece)))
    upstream.on('data', (piece: Buffer) => (tells(piece) && mode === 'after' ? end() : client.write(piece)))
  }

  const server = createServer(serve).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    reset: (when) => void (mode = when),
    close: () => {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
