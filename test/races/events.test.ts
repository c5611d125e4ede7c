/** N23: the outbox under kill -9 and outages. What happened is delivered, and nothing else; what comes twice has one id. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { accept, isSigned, SECRET, startReceiver, type Received } from '../runtime/fixture/receiver.js'
import { invoke, root, type Issued } from './acts.js'
import { createWorld, DEPLOYMENTS, kill, LAPSING, type World } from './world.js'

const EVENTS = Number(process.env['EVENTS'] ?? 300)
/** ms for which the receiver hangs up, in all. */
const OUTAGE_MS = Number(process.env['OUTAGE_MS'] ?? 2000)
const KILL_EVERY_MS = 1500
/** ms for each event, where processes are killed on a busy machine. */
const SLOWEST_MS = 1000
const CLIENTS = 10

const MANY = { pendingApprovalsPerRequester: 1e9, pendingApprovalsPerChain: 1e9, pendingApprovalsPerRoot: 1e9 }

/** Asks until so many approval requests are known to be stored. */
async function askUntilEnough(world: World, token: Issued, known: Set<string>, client: number): Promise<void> {
  for (let n = 0; known.size < EVENTS; n++) {
    try {
      const { body } = await invoke(world, n, 'refund', token, { parameters: { note: `${client}-${n}` } })
      const id = body['failure']?.['approval_request_id']
      if (id !== undefined) known.add(id)
    } catch {
      await sleep(20)
    }
  }
}

const ask = async (world: World, path: string) => {
  const response = await fetch(world.replicas[0]!.url + path, { headers: { authorization: 'Bearer op-key' } })
  return (await response.json()) as { readonly [name: string]: never }
}

/** All requests that the store has, whoever was told of them. */
async function storedRequests(world: World): Promise<ReadonlySet<string>> {
  const ids = new Set<string>()
  let cursor = ''
  do {
    const page: { readonly [name: string]: never } = await ask(world, `/-/approval_requests?limit=1000${cursor}`)
    const requests: readonly { readonly approval_request_id: string }[] = page['approval_requests']!
    for (const { approval_request_id } of requests) ids.add(approval_request_id)
    cursor = page['next_cursor'] === undefined ? '' : `&cursor=${String(page['next_cursor'])}`
  } while (cursor !== '')
  return ids
}

describe.each(DEPLOYMENTS)('the outbox on $name', (deployment) => {
  it(
    `N23: of ${EVENTS} events none is lost while processes are killed and the receiver is down`,
    async () => {
      const taken: Received[] = []
      let isDown = true
      const receiver = await startReceiver((response, one) => {
        if (isDown) return void response.socket?.destroy()
        taken.push(one)
        accept(response)
      })
      onTestFinished(receiver.close)
      const settings = {
        ...LAPSING,
        limits: { ...LAPSING.limits, ...MANY },
        requestTtl: 'P1D',
        notify: { name: 'ops', url: receiver.url, secret: SECRET, events: ['approval.requested'] },
      }
      const world = await createWorld(deployment, undefined, settings)
      onTestFinished(() => world.end())
      const token = await root(world)
      const known = new Set<string>()
      const clients = Promise.all(Array.from({ length: CLIENTS }, (_, n) => askUntilEnough(world, token, known, n)))
      const back = sleep(OUTAGE_MS).then(() => (isDown = false))
      const state = { asked: false }
      void clients.then(() => (state.asked = true))
      let kills = 0
      do {
        await sleep(KILL_EVERY_MS)
        await kill(world.replicas.shift()!)
        kills += 1
        await world.start()
      } while (!state.asked || kills < 2)
      await Promise.all([clients, back])

      const stored = await storedRequests(world)
      await expect
        .poll(async () => (await ask(world, '/-/events?state=pending'))['count'], {
          timeout: 300_000 + OUTAGE_MS,
          interval: 500,
        })
        .toBe(0)
      const delivered = new Map(taken.map(({ event, body }) => [event.id, body]))
      const expected = new Set([...stored].map((id) => `approval.requested.${id}`))
      expect({
        lost: [...expected].filter((id) => !delivered.has(id)),
        unfounded: [...delivered.keys()].filter((id) => !expected.has(id)),
        unknown: [...known].filter((id) => !stored.has(id)),
      }).toEqual({ lost: [], unfounded: [], unknown: [] })
      expect(taken.filter(({ event, body }) => delivered.get(event.id) !== body)).toEqual([])
      expect(taken.every((each) => isSigned(each) && each.headers['webhook-id'] === each.event.id)).toBe(true)
      const twice = taken.length - delivered.size
      console.log(
        `${deployment.name}: ${stored.size} happened, ${kills} kills, 0 lost, ${twice} came again with the same id.`,
      )
    },
    1_200_000 + EVENTS * SLOWEST_MS + 2 * OUTAGE_MS,
  )
})
