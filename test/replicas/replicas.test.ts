import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasNginx, startReplicas, type Replicas } from '../../examples/replicas/start.js'
import { startPostgres, type PostgresServer } from '../runtime/storage/postgres-server.js'

/** Everywhere behind the balancer of a few lines; behind nginx, too, where it is installed. */
const BALANCERS = hasNginx() ? [{ nginx: false }, { nginx: true }] : [{ nginx: false }]

describe.each(BALANCERS)(
  'two replicas of a service of svc init --storage postgres, behind a balancer, %j',
  (options) => {
    let server: PostgresServer
    let running: Replicas
    beforeAll(async () => {
      server = await startPostgres()
      running = await startReplicas(await server.database('shop'), options)
    }, 120_000)
    afterAll(async () => {
      await running.stop()
      await server.stop()
    })

    const post = async (path: string, bearer: string, body?: object) => {
      const response = await fetch(running.url + path, {
        method: 'POST',
        headers: { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      return {
        status: response.status,
        body: (await response.json().catch(() => ({}))) as { readonly [name: string]: unknown },
      }
    }
    const issue = async () => {
      const scope = { scope: ['shop.read'], subject: 'human:developer@localhost' }
      return (await post('/svc/tokens', running.credentials['SVC_DEVELOPER_KEY']!, scope)).body
    }
    const call = (token: unknown) => post('/svc/invoke/get_status', String(token), { parameters: {} })

    it('serve one service: a token of one works on both, and what is revoked on one is refused by both', async () => {
      const { token, token_id } = await issue()
      const replies = await Promise.all(Array.from({ length: 20 }, () => call(token)))
      expect(replies.map(({ status }) => status)).toEqual(Array<number>(20).fill(200))
      const sequences = (await post('/svc/audit?limit=100', String(token))).body['entries'] as { sequence: number }[]
      expect(new Set(sequences.map(({ sequence }) => sequence)).size).toBe(sequences.length)
      await post('/svc/tokens/revoke', running.credentials['SVC_DEVELOPER_KEY']!, { token_id })
      await new Promise((resolve) => setTimeout(resolve, 1000))
      const refused = await Promise.all(Array.from({ length: 10 }, () => call(token)))
      expect(refused.map(({ status }) => status)).toEqual(Array<number>(10).fill(401))
    })

    it('publish the same keys, whichever answers', async () => {
      const keys = await Promise.all(
        running.replicas.map(async ({ url }) => (await fetch(`${url}/.well-known/jwks.json`)).text()),
      )
      expect(keys[0]).toBe(keys[1])
    })

    it('goes on when one of them is gone', async () => {
      const { token } = await issue()
      running.replicas[0]!.kill()
      const statuses: number[] = []
      for (let n = 0; n < 10; n++) statuses.push((await call(token)).status)
      expect(statuses.slice(2)).toEqual(Array<number>(8).fill(200))
    })
  },
)

describe('compose.yaml', () => {
  const compose = readFileSync('examples/replicas/compose.yaml', 'utf8')

  it('starts the replicas that nginx.conf names', () => {
    const named = [...readFileSync('examples/replicas/nginx.conf', 'utf8').matchAll(/server (\w+):4100/gu)].map(
      ([, name]) => name!,
    )
    expect(named).toEqual(['one', 'two'])
    for (const name of named) expect(compose).toMatch(new RegExp(`^  ${name}:`, 'mu'))
  })
})
