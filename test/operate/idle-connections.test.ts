/** Ten thousand clients that ask once, and would keep their connections. */
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { invoke, root } from '../races/acts.js'
import { createWorld, type World } from '../races/world.js'

const CLIENTS = 10_000
const AT_ONCE = 250

let world: World
const sockets: Socket[] = []

beforeAll(async () => {
  world = await createWorld({ engine: 'sqlite', replicas: 1 }, undefined, {
    limits: { connections: CLIENTS + 100, keepAliveMs: 5_000 },
  })
})

afterAll(async () => {
  for (const socket of sockets) socket.destroy()
  await world.end()
})

/** Asks once over a new connection, and keeps it. */
const askOnce = (): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(world.replicas[0]!.url)
    const socket = connect(Number(port), hostname)
    sockets.push(socket)
    socket.on('error', reject)
    socket.once('data', (piece: Buffer) => resolve(piece.toString('latin1').split('\r\n')[0]!))
    socket.write('GET /-/live HTTP/1.1\r\nHost: x\r\n\r\n')
  })

const residentKilobytes = (): number =>
  Number(/^VmRSS:\s+(\d+)/mu.exec(readFileSync(`/proc/${world.replicas[0]!.process.pid}/status`, 'utf8'))![1])

it('cost little memory, keep nobody from being served, and are closed by the service', async () => {
  const before = residentKilobytes()
  const answers = new Set<string>()
  while (sockets.length < CLIENTS)
    for (const answer of await Promise.all(Array.from({ length: AT_ONCE }, askOnce))) answers.add(answer)
  expect([...answers]).toEqual(['HTTP/1.1 200 OK'])

  const token = await root(world)
  const { body } = await invoke(world, 0, 'act', token)
  expect(body['success']).toBe(true)
  const each = (residentKilobytes() - before) / CLIENTS
  const open = sockets.filter(({ destroyed }) => !destroyed).length
  console.log(`${open} of ${CLIENTS} connections were open at once; ${each.toFixed(1)} kB for each that came`)
  expect(open).toBeGreaterThan(1000)
  expect(each).toBeLessThan(40)
  await expect.poll(() => sockets.filter(({ destroyed }) => !destroyed).length, { timeout: 30_000 }).toBe(0)
})
