import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { answerOverHttp } from '../../src/runtime/http/answer.js'
import { listen, nodeServer } from '../../src/runtime/http/server.js'
import { KEYS, startFixture } from '../runtime/fixture/service.js'
import { openPage } from './chromium.js'

const SCRIPT = `
import { connect } from '/client/index.js'
const search = { capability: 'search', effect: 'write' }
async function seen(baseUrl, pinnedKeys) {
  try {
    const client = connect({ baseUrl, credential: 'ana-key', retries: 0 }, { search })
    const { manifest } = await client.manifest({ pinnedKeys, now: () => Date.parse('2026-03-01T12:00:00Z') })
    const { client: agent } = await client.delegate({ scope: ['travel.search'], subject: 'human:ana' })
    const { success } = await agent.search()
    const { failure } = await client.search()
    return [manifest.service_identity.id, success, failure.type]
  } catch (error) {
    return error.name
  }
}
const { listed, unlisted, pinnedKeys } = await (await fetch('/job')).json()
await fetch('/report', { method: 'POST', body: JSON.stringify([await seen(listed, pinnedKeys), await seen(unlisted, pinnedKeys)]) })
`

it('lets a page of a listed origin call, and no other', async () => {
  const pinnedKeys = KEYS.keys.filter(({ role }) => role === 'manifest').map(({ kid }) => kid)
  const job = { listed: '', unlisted: '', pinnedKeys }
  const { url, report } = await host(() => job)
  job.listed = await serviceFor([url])
  job.unlisted = await serviceFor(undefined)
  const page = await openPage(url)
  onTestFinished(page.close)
  expect(await Promise.race([report, page.ended])).toEqual([['flights', true, 'invalid_token'], 'TransportError'])
})

async function serviceFor(origins: readonly string[] | undefined): Promise<string> {
  const { service } = await startFixture(origins === undefined ? {} : { origins })
  return addressOf(nodeServer(answerOverHttp(service), service.limits))
}

async function addressOf(server: ReturnType<typeof createServer>): Promise<string> {
  const { port }: AddressInfo = await listen(server, '127.0.0.1', 0)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${port}`
}

/** A page of its own origin, with the built core of the client. */
async function host(job: () => object) {
  let reported: (value: unknown) => void = () => undefined
  const report = new Promise<unknown>((done) => (reported = done))
  const server = createServer((incoming, response) => {
    const { url = '/' } = incoming
    if (url === '/report') void textOf(incoming).then((text) => reported(JSON.parse(text)))
    if (url.startsWith('/client/'))
      response
        .writeHead(200, { 'Content-Type': 'text/javascript' })
        .end(readFileSync(resolve('dist/client', basename(url))))
    else if (url === '/job') response.end(JSON.stringify(job()))
    else
      response
        .writeHead(200, { 'Content-Type': 'text/html' })
        .end(`<!doctype html><script type="module">${SCRIPT}</script>`)
  })
  return { url: await addressOf(server), report }
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}
