/** A built example with its console, people at the provider, and an agent that asks. */
import { start } from '../../../examples/start.js'

/** main.ts of an example whose people sign in at a provider. `previews` only where there are some. */
const mainFor = (previews: boolean): string => `
import { readApiKeys, readKeyRing, serve, start } from 'svc-kit/runtime/node'
import { openSqlite } from 'svc-kit/runtime/sqlite'
import { webConsole } from 'svc-kit/console'
import { createService } from './generated/service.js'
import * as handlers from './src/handlers/index.js'
${previews ? "import * as previews from './src/previews.js'" : ''}

const { ISSUER = '', APPROVER = '', SCOPES = '', PORT = '0' } = process.env
const entitlements = ({ groups }: { readonly groups?: unknown }) => ({
  scopes: !Array.isArray(groups) ? [] : groups.includes('managers') ? [APPROVER] : groups.includes('travellers') ? SCOPES.split(' ').filter(Boolean) : [],
  ...(Array.isArray(groups) && groups.includes('operators') && { roles: ['auditor', 'operator'] }),
})

await start(async () => {
  const service = await createService({
    handlers,
    ${previews ? 'previews,' : ''}
    storage: await openSqlite({ file: 'data/example.db' }),
    keys: await readKeyRing('keys'),
    apiKeys: await readApiKeys('api-keys.json'),
    oidc: [{ issuer: ISSUER, audience: 'example', entitlements: entitlements as never }],
  })
  const surfaces = [webConsole({ clientId: 'svc-console', clientSecret: 'console-secret' })]
  const { url } = await serve(service, { port: PORT, surfaces })
  console.log('example listens on ' + url)
})
`

export interface RunningExample {
  readonly url: string
  readonly post: (
    path: string,
    bearer: string,
    body: object,
  ) => Promise<{ readonly status: number; readonly body: Members }>
  readonly developer: string
  stop(): Promise<void>
}

export type Members = { readonly [name: string]: Members & string & number }

export async function startExample(name: 'travel' | 'refunds', issuer: string): Promise<RunningExample> {
  const approver = `${name}.approver`
  const env = { ISSUER: issuer, APPROVER: approver, SCOPES: name === 'travel' ? 'travel.search travel.book' : '', NODE_OPTIONS: '' } // prettier-ignore
  const { url, credentials, stop } = await start(name, env, mainFor(name === 'travel'))
  return {
    url,
    developer: credentials['SVC_DEVELOPER_KEY']!,
    stop,
    post: async (path, bearer, body) => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
      const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) })
      return { status: response.status, body: (await response.json()) as Members }
    },
  }
}
