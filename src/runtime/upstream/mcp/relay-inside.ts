/** The end of the relay within the namespaces of a child: a proxy on its own loopback, known to its `fetch`. */
const PORT = 3128
const ADDRESS = `http://127.0.0.1:${PORT}`

/** What makes `fetch` and `node:https` of a child ask the proxy. */
export const PROXY_ENVIRONMENT = { NODE_USE_ENV_PROXY: '1', HTTP_PROXY: ADDRESS, HTTPS_PROXY: ADDRESS } as const

/** The inherited socket. */
export const RELAY_FD = 3

/** Passes each CONNECT on. It travels as text, and so uses nothing of this module. */
function proxy(port: number, fd: number): void {
  const http = process.getBuiltinModule('node:http')
  const http2 = process.getBuiltinModule('node:http2')
  const net = process.getBuiltinModule('node:net')
  const session = http2.connect('http://relay', { createConnection: () => new net.Socket({ fd }) })
  session.on('error', () => undefined)
  const server = http.createServer((_, response) => response.writeHead(501).end())
  server.on('connect', (request, client) => {
    const stream = session.request({ ':method': 'CONNECT', ':authority': request.url ?? '' }, { endStream: false })
    client.on('error', () => stream.close())
    stream.on('error', () => client.destroy())
    stream.on('response', ({ ':status': status }) => {
      client.write(`HTTP/1.1 ${status} ${status === 200 ? 'Connection established' : 'Refused'}\r\n\r\n`)
      if (status === 200) client.pipe(stream).pipe(client)
      else client.end()
    })
  })
  server.listen(port, '127.0.0.1')
  server.unref()
  session.unref()
}

/** A module that Node loads before the server, as its address. */
export const RELAY_MODULE = `data:text/javascript,${encodeURIComponent(`(${String(proxy)})(${PORT}, ${RELAY_FD})`)}`
