/** The relay of a child: public hosts that a person accepted, and nothing of this machine and its networks. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import http2 from 'node:http2'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { expect, it, onTestFinished } from 'vitest'
import { bwrapWalls, foldersIn } from '../../../src/runtime/upstream/mcp/namespaces.js'
import type { ReachableHosts } from '../../../src/runtime/upstream/mcp/pinned.js'
import { RELAY_MODULE } from '../../../src/runtime/upstream/mcp/relay-inside.js'
import { allowedTarget, serveRelay, type Dial } from '../../../src/runtime/upstream/mcp/relay.js'

const asked = (authority: string, network: ReachableHosts, method = 'CONNECT') => {
  const target = allowedTarget({ ':method': method, ':authority': authority }, network)
  return target && `${target.host} ${target.port}`
}

it.each([
  ['api.example.com:443', 'open', 'api.example.com 443'],
  ['API.example.com:443', ['api.example.com'], 'api.example.com 443'],
  ['api.example.com:80', 'open', 'api.example.com 80'],
  ['93.184.215.14:443', 'open', '93.184.215.14 443'],
  ['[2606:2800:21f::1]:443', 'open', '2606:2800:21f::1 443'],
  ['api.example.com:443', 'none', undefined],
  ['api.example.com:443', ['example.com'], undefined],
  ['sub.api.example.com:443', ['api.example.com'], undefined],
  ['93.184.215.14:443', ['api.example.com'], undefined],
  ['127.0.0.1:5432', 'open', undefined],
  ['127.1:5432', 'open', undefined],
  ['0x7f000001:5432', 'open', undefined],
  ['2130706433:5432', 'open', undefined],
  ['[::1]:5432', 'open', undefined],
  ['[::ffff:127.0.0.1]:5432', 'open', undefined],
  ['0.0.0.0:80', 'open', undefined],
  ['10.0.0.1:80', 'open', undefined],
  ['172.16.0.1:80', 'open', undefined],
  ['192.168.1.1:80', 'open', undefined],
  ['100.64.0.1:80', 'open', undefined],
  ['169.254.169.254:80', 'open', undefined],
  ['[fe80::1]:80', 'open', undefined],
  ['[fd00:ec2::254]:80', 'open', undefined],
  ['user@api.example.com:443', 'open', undefined],
  ['api.example.com:443/x', 'open', undefined],
  ['api.example.com:99999', 'open', undefined],
  ['', 'open', undefined],
] as const)('a child that asks for %j with the network %j is connected to %s', (authority, network, expected) => {
  expect(asked(authority, network)).toBe(expected)
})

it('answers no request but CONNECT', () => {
  expect(asked('api.example.com:443', 'open', 'GET')).toBeUndefined()
})

/** A child in namespaces, with the relay before its own program, which prints what it got. */
async function childOf(program: string, network: ReachableHosts, dial?: Dial): Promise<string> {
  const made = realpathSync(mkdtempSync(join(tmpdir(), 'svc-relay-')))
  onTestFinished(() => rmSync(made, { recursive: true, force: true, maxRetries: 20 }))
  const folder = foldersIn(made)
  mkdirSync(folder.own)
  const [walls = '', ...args] = bwrapWalls({ readable: [], writable: [], own: folder.own }, [])
  const child = spawn(walls, [...args, process.execPath, `--import=${RELAY_MODULE}`, '--eval', program], {
    env: { PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'inherit', 'pipe'],
    detached: true,
  })
  let printed = ''
  child.stdio[1]!.on('data', (chunk: Buffer) => (printed += chunk.toString()))
  serveRelay(child.stdio[3] as Duplex, network, ...(dial === undefined ? [] : [dial]))
  await once(child, 'close')
  return printed
}

const CONNECT = `
const http = require('node:http')
const asked = (path) => new Promise((done) => {
  const request = http.request({ host: '127.0.0.1', port: 3128, method: 'CONNECT', path })
  request.on('connect', ({ statusCode }, socket) => {
    if (statusCode !== 200) return (socket.destroy(), done(statusCode))
    socket.on('data', (text) => (socket.destroy(), done(statusCode + ' ' + text)))
    socket.write('ping')
  }).end()
})
const direct = (port) => new Promise((done) => {
  require('node:net').connect(port, '127.0.0.1', () => done('reached')).on('error', ({ code }) => done(code))
})
`

it('reaches the hosts that are named by the relay, and nothing past it', async () => {
  const far = createServer((socket) => socket.on('data', (text) => socket.write(`${text.toString()} pong`)))
  await new Promise<void>((done) => far.listen(0, '127.0.0.1', done))
  onTestFinished(() => void far.close())
  const { port } = far.address() as AddressInfo
  const program = `${CONNECT}; (async () => {
    const answers = [await asked('api.example.com:443'), await asked('other.example.com:443'), await asked('127.0.0.1:${port}'), await direct(${port})]
    console.log(JSON.stringify(answers))
    process.exit()
  })()`
  const dialled: unknown[] = []
  const dial: Dial = (...target) => (dialled.push(target), connect(port, '127.0.0.1'))
  expect(JSON.parse(await childOf(program, ['api.example.com'], dial))).toEqual([
    '200 ping pong',
    403,
    403,
    'ECONNREFUSED',
  ])
  expect(dialled).toEqual([['api.example.com', 443]])
}, 60_000)

/** A client of HTTP/2 at the other end of a relay, and what was dialled. */
async function atRelay(far: number) {
  const pair = createServer()
  await new Promise<void>((done) => pair.listen(0, '127.0.0.1', done))
  const dialled: string[] = []
  pair.on('connection', (socket) =>
    serveRelay(socket, 'open', (host) => (dialled.push(host), connect(far, '127.0.0.1'))),
  )
  const { port } = pair.address() as AddressInfo
  const session = http2.connect('http://relay', { createConnection: () => connect(port, '127.0.0.1') })
  session.on('error', () => undefined)
  onTestFinished(() => (session.destroy(), void pair.close()))
  const ask = (authority: string) => {
    const stream = session.request({ ':method': 'CONNECT', ':authority': authority }, { endStream: false })
    stream.on('error', () => undefined)
    return stream
  }
  return { session, ask, dialled }
}

async function farServer(answer: (socket: Socket) => void): Promise<number> {
  const far = createServer(answer)
  await new Promise<void>((done) => far.listen(0, '127.0.0.1', done))
  onTestFinished(() => void far.close())
  return (far.address() as AddressInfo).port
}

it.each(['127.0.0.1:1', 'api.example.com:443'])('ends where a child asks for more than 600 connections a minute: %s', async (authority) => {
  const { session, ask, dialled } = await atRelay(await farServer((socket) => void socket.on('error', () => undefined)))
  let asked = 0
  while (!session.destroyed && asked < 700) {
    const stream = ask(authority)
    asked += 1
    await Promise.race(['response', 'close'].map((event) => once(stream, event))).catch(() => undefined)
    stream.close()
  }
  expect([asked, dialled.length]).toEqual([601, authority.startsWith('api') ? 600 : 0])
}, 60_000) // prettier-ignore

it('passes on 8 MB a second of all connections of a child', async () => {
  let received = 0
  const far = await farServer((socket) => void socket.on('data', (part) => (received += part.length)).on('error', () => undefined)) // prettier-ignore
  const { ask } = await atRelay(far)
  const start = performance.now()
  for (const stream of [ask('a.example:1'), ask('b.example:1')]) {
    const send = (): boolean | undefined => (stream.destroyed ? undefined : stream.write(Buffer.alloc(1 << 20), send))
    send()
  }
  await expect.poll(() => received, { timeout: 20_000 }).toBeGreaterThan(5_000_000)
  expect(received / (performance.now() - start)).toBeLessThan(12_000)
}, 60_000)

it('ends where a child sends more than its streams take, as frames that carry nothing', async () => {
  const ended = new Promise<string>((done) => {
    const server = createServer((socket) => {
      socket.once('close', () => done('ended'))
      serveRelay(socket, 'open')
    })
    onTestFinished(() => void server.close())
    server.listen(0, '127.0.0.1', () => {
      const child = connect((server.address() as AddressInfo).port, '127.0.0.1')
      onTestFinished(() => void child.destroy())
      const unknown = Buffer.from('\0\0\0\u0063\0\0\0\0\0'.repeat(100_000))
      const flood = (): void => {
        while (!child.destroyed && child.write(unknown));
      }
      child.on('error', () => undefined).on('drain', flood)
      child.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\u0004\0\0\0\0\0')
      flood()
    })
  })
  expect(await ended).toBe('ended')
}, 20_000)

it('judges a name by what it means: localhost is a loopback address', async () => {
  const program = `${CONNECT}; asked('localhost:80').then((answer) => (console.log(answer), process.exit()))`
  expect(await childOf(program, 'open')).toBe('502\n')
}, 60_000)
