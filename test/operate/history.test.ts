/** Histories of two replicas on PostgreSQL, and of SQLite, judged; OPERATIONS=1000000 for a long one. */
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { approve, askForApproval, invoke, root } from '../races/acts.js'
import { createWorld, DEPLOYMENTS, type Reply, type World } from '../races/world.js'
import { startPostgres } from '../runtime/storage/postgres-server.js'
import { judgeCounted, judgeExclusive, judgeKeyed, judgeRevoked, type Operation } from './history.js'

const OPERATIONS = Number(process.env['OPERATIONS'] ?? 5_000)
const SCENES_AT_ONCE = 8
const USES = 3
const CHARGES = 5
const CHARGE = 280

const operation = (outcome: Operation['outcome'], from: number, to: number, id = 'inv-1'): Operation => ({
  about: 'a',
  from,
  to,
  outcome,
  id,
})

describe('the judge', () => {
  it.each([
    ['one use too many', [operation('done', 0, 1), operation('done', 2, 3)], 'a was used 2 times, of 1.'],
    [
      'a refusal before any use',
      [operation('refused', 0, 1), operation('done', 2, 3)],
      'a refused inv-1 before it was used 1 times.',
    ],
    [
      'a use after a refusal',
      [operation('unknown', 0, 9), operation('refused', 1, 2), operation('done', 3, 4, 'inv-2')],
      'a was exhausted, and then did inv-2.',
    ],
  ])('notices %s', (_, history, said) => {
    expect(judgeCounted(history, 1)).toContain(said)
  })

  it('finds nothing where a use and a refusal overlap', () => {
    expect(judgeCounted([operation('refused', 0, 3), operation('done', 2, 5)], 1)).toEqual([])
  })

  it.each([
    [
      'two invocations for a key',
      [operation('done', 0, 1), operation('done', 2, 3, 'inv-2')],
      1,
      'a was answered by 2 invocations.',
    ],
    ['two effects of a key', [operation('done', 0, 1)], 2, 'a had 2 effects.'],
    ['an answer without an effect', [operation('done', 0, 1)], 0, 'a was done without an effect.'],
  ])('notices %s', (_, history, effects, said) => {
    expect(judgeKeyed(history, new Map([['a', effects]]))).toEqual([said])
  })

  it('notices two holders at a time', () => {
    const held = (from: number, to: number, id: string) => ({ about: 'a', from, to, id })
    expect(judgeExclusive([held(5, 9, 'inv-2'), held(0, 6, 'inv-1'), held(9, 12, 'inv-3')])).toEqual([
      'a was held by inv-1 and inv-2.',
    ])
  })

  it('notices a start after a revocation was answered, and a refusal before it was asked', () => {
    const revoked = new Map([['a', { from: 5, to: 7 }]])
    expect(
      judgeRevoked(
        [operation('done', 8, 9), operation('refused', 1, 4), operation('done', 6, 9), operation('refused', 1, 6)],
        revoked,
      ),
    ).toEqual(['a was revoked, and then did inv-1.', 'a refused inv-1 before it was revoked.'])
  })
})

interface Recorded {
  readonly grants: Operation[]
  readonly budgets: Operation[]
  readonly keys: Operation[]
  readonly places: Operation[]
  readonly revoked: Operation[]
  readonly revocations: Map<string, { readonly from: number; readonly to: number }>
}

const lengthOf = ({ grants, budgets, keys, places, revoked }: Recorded): number =>
  grants.length + budgets.length + keys.length + places.length + revoked.length

/** Makes the call, and notes it; `refusals` are the answers that say that it did not happen, for good. */
async function noted(
  history: Operation[],
  about: string,
  refusals: readonly string[],
  call: () => Promise<Reply>,
): Promise<void> {
  const from = Date.now()
  const reply = await call().catch(() => undefined)
  const failure = reply?.body['failure']?.['type'] as string | undefined
  const outcome =
    reply?.body['success'] === true
      ? 'done'
      : failure !== undefined && refusals.includes(failure)
        ? 'refused'
        : 'unknown'
  history.push({ about, from, to: Date.now(), outcome, id: String(reply?.body['invocation_id']) })
}

const times = (count: number, work: (n: number) => Promise<unknown>): Promise<unknown> =>
  Promise.all(Array.from({ length: count }, (_, n) => work(n)))

/** One of everything, under names of its own. */
async function scene(world: World, name: string, recorded: Recorded): Promise<void> {
  const token = await root(world, { session_id: 's1' })
  const purse = await root(world, { budget: { currency: 'EUR', max_amount: CHARGES * CHARGE, mode: 'cumulative' } })
  const parameters = { note: name }
  const request = await askForApproval(world, token, name)
  const { body: grant } = await approve(world, 0, request, {
    grant_type: 'session_bound',
    session_id: 's1',
    max_uses: USES,
  })
  const spare = await root(world)
  await Promise.all([
    times(10, (n) =>
      noted(recorded.grants, name, ['approval_grant_invalid'], () =>
        invoke(world, n, 'refund', token, { parameters, approval_grant: grant['grant_id'] }),
      ),
    ),
    times(14, (n) => noted(recorded.budgets, name, ['budget_exceeded'], () => invoke(world, n, 'charge', purse))),
    times(15, (n) => {
      const key = `${name}-key-${n % 3}`
      return noted(recorded.keys, key, [], () =>
        invoke(world, n, 'act', token, { parameters: { note: key } }, { 'idempotency-key': key }),
      )
    }),
    times(6, (n) =>
      noted(recorded.places, name, ['concurrent_request_rejected'], () =>
        invoke(world, n, 'reserve', n % 2 === 0 ? token : spare, { parameters: { warehouse: name, ms: 4 } }),
      ),
    ),
    revokedMeanwhile(world, name, recorded),
  ])
}

async function revokedMeanwhile(world: World, name: string, recorded: Recorded): Promise<void> {
  const token = await root(world)
  const calling = times(10, async (n) => {
    await sleep(n * 8)
    await noted(recorded.revoked, name, ['token_revoked'], () => invoke(world, n, 'act', token))
  })
  await sleep(30)
  const from = Date.now()
  const { status } = await world.post(1, '/svc/tokens/revoke', 'ana-key', { token_id: token.token_id })
  expect(status).toBe(200)
  recorded.revocations.set(name, { from, to: Date.now() })
  await calling
}

/** What the file of effects says: how often each key had one, and who held which place when. */
async function effectsOf(world: World, places: readonly Operation[]) {
  const placeOf = new Map(places.map(({ id, about }) => [id, about]))
  const keyed = new Map<string, number>()
  const starts = new Map<string, number>()
  const held: Omit<Operation, 'outcome'>[] = []
  for (const line of await world.effects()) {
    const [word, id = '', third = ''] = line.split(' ')
    if (word === 'act' && third !== '-') keyed.set(third, (keyed.get(third) ?? 0) + 1)
    if (word === 'start') starts.set(id, Number(third))
    if (word === 'end') held.push({ about: placeOf.get(id)!, from: starts.get(id)!, to: Number(third), id })
  }
  return { keyed, held }
}

describe.each(DEPLOYMENTS)('a history of $name', (deployment) => {
  it(
    'is one that grants, budgets and revocations, one after the other, could have had',
    async () => {
      const server = deployment.engine === 'postgres' ? await startPostgres(['max_connections=100']) : undefined
      const world = await createWorld(deployment, server)
      const recorded: Recorded = { grants: [], budgets: [], keys: [], places: [], revoked: [], revocations: new Map() }
      const began = Date.now()
      try {
        let next = 0
        await times(SCENES_AT_ONCE, async () => {
          while (lengthOf(recorded) < OPERATIONS) await scene(world, `scene-${next++}`, recorded)
        })
        const { keyed, held } = await effectsOf(world, recorded.places)
        expect(judgeCounted(recorded.grants, USES)).toEqual([])
        expect(judgeCounted(recorded.budgets, CHARGES)).toEqual([])
        expect(judgeKeyed(recorded.keys, keyed)).toEqual([])
        expect(judgeRevoked(recorded.revoked, recorded.revocations)).toEqual([])
        expect(judgeExclusive(held)).toEqual([])
        expect(held.length).toBeGreaterThan(0)
        for (const history of [recorded.grants, recorded.budgets, recorded.places, recorded.revoked]) {
          const outcomes = new Set(history.map(({ outcome }) => outcome))
          expect([outcomes.has('done'), outcomes.has('refused')]).toEqual([true, true])
        }
        console.log(`${lengthOf(recorded)} operations in ${Math.round((Date.now() - began) / 1000)} s`)
      } finally {
        await world.end()
        await server?.stop()
      }
    },
    60_000 + OPERATIONS * 60,
  )
})
