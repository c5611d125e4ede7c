import { readApiKeys, readKeyRing, serve, start } from 'svc-kit/runtime/node'
import { openSqlite } from 'svc-kit/runtime/sqlite'
import { createService } from './generated/service.js'
import * as handlers from './src/handlers/index.js'

const {
  HOST = '127.0.0.1',
  PORT = '4100',
  SVC_KEYS = 'keys',
  SVC_API_KEYS = 'api-keys.json',
  SVC_DATABASE = 'data/front-mcp.db',
  SVC_PUBLIC_URL,
  SVC_STATE_DIR,
} = process.env

await start(async () => {
  const service = await createService({
    handlers,
    storage: await openSqlite({ file: SVC_DATABASE }),
    keys: await readKeyRing(SVC_KEYS),
    stateDir: SVC_STATE_DIR,
    apiKeys: await readApiKeys(SVC_API_KEYS),
  })
  const { url } = await serve(service, { host: HOST, port: PORT, publicUrl: SVC_PUBLIC_URL })
  console.log(`front-mcp listens on ${url}`)
})
