import { readApiKeys, readKeyRing, readPublishedManifest, readSignerKeys, serve, start } from 'svc-kit/runtime/node'
import { openSqlite } from 'svc-kit/runtime/sqlite'
import { createService } from './generated/service.js'
import * as handlers from './src/handlers/index.js'

const {
  HOST = '127.0.0.1',
  PORT = '4100',
  SVC_KEYS = 'keys',
  SVC_MANIFEST,
  SVC_SIGNER = '',
  SVC_SIGNER_CERT,
  SVC_SIGNER_KEY,
  SVC_SIGNER_CA,
  SVC_SIGNER_SECRET,
  SVC_API_KEYS = 'api-keys.json',
  SVC_DEVELOPMENT,
  SVC_DATABASE = 'data/front-mcp.db',
  SVC_PUBLIC_URL,
  SVC_STATE_DIR,
} = process.env

const signer = {
  certificate: SVC_SIGNER_CERT,
  key: SVC_SIGNER_KEY,
  authority: SVC_SIGNER_CA,
  secret: SVC_SIGNER_SECRET,
}

await start(async () => {
  const service = await createService({
    handlers,
    storage: await openSqlite({ file: SVC_DATABASE }),
    keys: await (SVC_SIGNER === '' ? readKeyRing(SVC_KEYS) : readSignerKeys(SVC_SIGNER, signer)),
    publishedManifest: await readPublishedManifest(process.argv, SVC_MANIFEST),
    stateDir: SVC_STATE_DIR,
    apiKeys: await readApiKeys(SVC_API_KEYS),
    development: SVC_DEVELOPMENT === 'true',
  })
  const { url } = await serve(service, { host: HOST, port: PORT, publicUrl: SVC_PUBLIC_URL })
  console.log(`front-mcp listens on ${url}`)
})
