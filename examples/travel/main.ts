import { existsSync } from 'node:fs'
import { webConsole } from 'svc-kit/console'
import { readApiKeys, readKeyRing, serve, serveStdio, start } from 'svc-kit/runtime/node'
import { openSqlite } from 'svc-kit/runtime/sqlite'
import { createService } from './generated/service.js'
import * as handlers from './src/handlers/index.js'
import * as previews from './src/previews.js'

if (existsSync('.env')) process.loadEnvFile()

const {
  HOST = '127.0.0.1',
  PORT = '4100',
  SVC_KEYS = 'keys',
  SVC_API_KEYS = 'api-keys.json',
  SVC_DEVELOPMENT,
  SVC_DATABASE = 'data/travel.db',
  SVC_PUBLIC_URL,
  SVC_STATE_DIR,
} = process.env

await start(async () => {
  const service = await createService({
    handlers,
    previews,
    storage: await openSqlite({ file: SVC_DATABASE }),
    keys: await readKeyRing(SVC_KEYS),
    stateDir: SVC_STATE_DIR,
    apiKeys: await readApiKeys(SVC_API_KEYS),
  })
  if (process.argv.includes('--stdio')) return serveStdio(service)
  const pages = webConsole({ development: SVC_DEVELOPMENT === 'true' })
  const { url } = await serve(service, { host: HOST, port: PORT, publicUrl: SVC_PUBLIC_URL, surfaces: [pages] })
  console.log(`travel listens on ${url}`)
  console.log(`its console is at ${url}/-/console/`)
})
