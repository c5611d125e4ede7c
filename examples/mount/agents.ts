import { webConsole } from 'svc-kit/console'
import { mcp } from 'svc-kit/mcp'
import { mount, type Mounted, type MountOptions } from 'svc-kit/runtime/mount'
import { readApiKeys, readKeyRing } from 'svc-kit/runtime/node'
import { openSqlite } from 'svc-kit/runtime/sqlite'
import { createService } from './generated/service.js'
import * as handlers from './src/handlers/index.js'

const {
  SVC_KEYS = 'keys',
  SVC_API_KEYS = 'api-keys.json',
  SVC_DATABASE = 'data/shop.db',
  SVC_PUBLIC_URL = 'http://127.0.0.1:3000/agents',
} = process.env

/** Opens the service for agents, below /agents of the shop. */
export async function openAgents(clientAddress?: MountOptions['clientAddress']): Promise<Mounted> {
  const service = await createService({
    handlers,
    storage: await openSqlite({ file: SVC_DATABASE }),
    keys: await readKeyRing(SVC_KEYS),
    apiKeys: await readApiKeys(SVC_API_KEYS),
  })
  return mount(service, {
    basePath: '/agents',
    publicUrl: SVC_PUBLIC_URL,
    surfaces: [webConsole(), mcp()],
    ...(clientAddress && { clientAddress }),
  })
}
