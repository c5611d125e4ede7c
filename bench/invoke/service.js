/** A service with one read capability, or nothing but node:http. Talks to its parent. */
import { createServer } from 'node:http'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serve, serveStdio } from '../../dist/runtime/node.js'
import { attend } from '../attend.js'
import { openService } from './open-service.js'

const bare = () =>
  new Promise((resolve) => {
    const server = createServer((request, response) => {
      const parts = []
      request.on('data', (part) => parts.push(part))
      request.on('end', () => {
        JSON.parse(Buffer.concat(parts))
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end('{"success":true,"result":{"offers":["hotel"]}}')
      })
    })
    server.listen(0, '127.0.0.1', () =>
      resolve({ url: `http://127.0.0.1:${server.address().port}`, close: () => server.close() }),
    )
  })

async function start(kind, open) {
  if (kind === 'bare') return bare()
  const { service } = await open()
  if (kind === 'stdio') {
    void serveStdio(service)
    return { url: 'stdio' }
  }
  const surfaces = kind === 'mcp' ? [(await import('../../dist/runtime/surfaces/mcp/index.js')).mcp()] : []
  return serve(service, { port: 0, surfaces })
}

const folder = mkdtempSync(join(tmpdir(), 'svc-bench-'))
const [kind, cache] = process.argv.slice(2)
const limits = cache === 'cold' ? { tokenCacheEntries: 1 } : {}
const running = await start(kind, () => openService(folder, { limits, kind }))
attend(running.url, () => rmSync(folder, { recursive: true, force: true }))
