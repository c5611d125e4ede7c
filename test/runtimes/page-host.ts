import { readFileSync } from 'node:fs'
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'

/** What the page is told, and where the built client lies. */
export interface Job {
  readonly scenario: string
  readonly module: string
  readonly baseUrl: string
  readonly credentials: { readonly [variable: string]: string }
}

interface Example {
  readonly folder: string
  readonly url: string
  readonly credentials: { readonly [variable: string]: string }
}

const PAGE = '<!doctype html><meta charset="utf-8"><title>client</title><script type="module" src="/page.js"></script>'

/** Serves a page beside an example, as a web site in front of its service would: one origin, the rest is passed on. */
export async function hostPage(scenario: string, { folder, url, credentials }: Example) {
  let baseUrl = ''
  const { promise: report, resolve: reported } = withResolvers<unknown>()
  const own: { readonly [path: string]: () => readonly [type: string, body: string | Buffer] } = {
    '/': () => ['text/html', PAGE],
    '/job': () => ['application/json', JSON.stringify({ scenario, module: '/client.js', baseUrl, credentials })],
    '/client.js': () => ['text/javascript', readFileSync(join(folder, 'dist/client/index.js'))],
    '/favicon.ico': () => ['image/x-icon', ''],
    ...Object.fromEntries(
      ['page', 'worker', 'scenarios'].map((name) => [
        `/${name}.js`,
        (): readonly [string, Buffer] => ['text/javascript', readFileSync(join(import.meta.dirname, `${name}.js`))],
      ]),
    ),
  }
  const server = createServer((incoming, response) => {
    const answer = own[incoming.url ?? '']
    if (incoming.url === '/report') {
      void textOf(incoming).then((text) => reported(JSON.parse(text)))
      response.end()
    } else if (answer === undefined) passOn(url, incoming, response)
    else {
      const [type, body] = answer()
      response.writeHead(200, { 'Content-Type': type }).end(body)
    }
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.address()
  if (typeof address === 'object' && address !== null) baseUrl = `http://127.0.0.1:${address.port}`
  const close = () => {
    server.close()
    server.closeAllConnections()
  }
  return { url: baseUrl, report, close }
}

function passOn(url: string, incoming: IncomingMessage, response: ServerResponse): void {
  const { method, headers } = incoming
  const outgoing = request(`${url}${incoming.url}`, { method, headers }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  outgoing.on('error', () => response.destroy())
  incoming.pipe(outgoing)
}

async function textOf(incoming: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

function withResolvers<Value>() {
  let resolve: (value: Value) => void = () => undefined
  const promise = new Promise<Value>((done) => (resolve = done))
  return { promise, resolve }
}
