import { spawn } from 'node:child_process'
import { connect, type Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { serve, type Running } from '../../src/runtime/node.js'
import { capability } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

let running: Running | undefined
afterEach(() => running?.close())

const CLIENTS = fileURLToPath(new URL('fixture/reconnecting-clients.mjs', import.meta.url))
const LIVE = 'GET /-/live HTTP/1.1\r\nHost: x\r\n\r\n'
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

/** A client that keeps its connection: what it reads, and whether the connection was reset. */
async function client(url: string) {
  const { hostname, port } = new URL(url)
  const socket: Socket = connect(Number(port), hostname)
  const seen = { text: '', error: undefined as string | undefined }
  socket.on('data', (part) => (seen.text += part.toString()))
  socket.on('error', ({ message }) => (seen.error = message))
  const ended = new Promise((resolve) => socket.once('close', resolve))
  await new Promise((resolve) => socket.once('connect', resolve))
  const ask = async (text = LIVE) => {
    seen.text = ''
    socket.write(text)
    while (!/\r\n\r\n[\s\S]*\}/u.test(seen.text) && seen.error === undefined && !socket.destroyed) await pause(2)
    return { ...seen }
  }
  return { ask, ended, seen, end: () => socket.end() }
}

describe('a service that drains', () => {
  it('answers the next request of each of 20 connections that are kept alive, and resets none', async () => {
    const { service } = await startFixture()
    running = await serve(service, { port: 0 })
    const clients = await Promise.all(Array.from({ length: 20 }, () => client(running!.url)))
    for (const { ask } of clients) expect((await ask()).text).toMatch(/^HTTP\/1\.1 200 /u)
    const stopped = running.close()
    // Most ask after the port has closed.
    const answers = await Promise.all(
      clients.map(async ({ ask }, index) => {
        await pause(50 + index * 50)
        return ask()
      }),
    )
    for (const { text, error } of answers) {
      expect(error).toBeUndefined()
      expect(text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*connection: close/iu)
    }
    await Promise.all([...clients.map(({ ended }) => ended), stopped])
    expect(clients.map(({ seen }) => seen.error)).toEqual(clients.map(() => undefined))
  })

  it('resets no client that connects anew as soon as it is told to, in any of five stops', async () => {
    for (let stop = 0; stop < 5; stop += 1) {
      const { service } = await startFixture()
      running = await serve(service, { port: 0 })
      const ends: string[] = []
      const clients = spawn(process.execPath, [CLIENTS, new URL(running.url).port], {
        stdio: ['ignore', 'pipe', 'inherit'],
      })
      const lines = createInterface(clients.stdout)
      await new Promise((resolve) => lines.once('line', resolve))
      lines.on('line', (line) => ends.push(line))
      const ended = new Promise((resolve) => lines.once('close', resolve))
      await running.close()
      await ended
      expect(ends).toEqual(Array.from({ length: 20 }, () => 'ECONNREFUSED'))
    }
  })

  it('says so in an answer that was being made when the stop came', async () => {
    let begin: () => void = () => undefined
    const begun = new Promise<void>((resolve) => (begin = resolve))
    const slow = async () => (begin(), await pause(400), {})
    const { service, root } = await startFixture({ capabilities: { search: capability() }, handlers: { search: slow } })
    running = await serve(service, { port: 0 })
    const { token } = await root()
    const { ask } = await client(running.url)
    const body = '{"parameters":{}}'
    const answer = ask(
      `POST /svc/invoke/search HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await begun
    await running.close()
    expect((await answer).text).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*connection: close/iu)
  })

  it('takes no new connection while it waits, and waits no longer than half of its grace for an idle one', async () => {
    const { service } = await startFixture({ limits: { shutdownMs: 4_000 } })
    running = await serve(service, { port: 0 })
    const { url } = running
    const { ask, ended } = await client(url)
    await ask()
    const at = Date.now()
    const stopped = running.close()
    await pause(350)
    await expect(fetch(`${url}/-/live`)).rejects.toThrow()
    await Promise.all([ended, stopped])
    expect(Date.now() - at).toBeGreaterThan(1_900)
    expect(Date.now() - at).toBeLessThan(3_800)
  })
})
