import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { approve, askForApproval, effectsOf, failures, invoke, invokeAtOnce, root, successes } from './acts.js'
import { createWorld, DEPLOYMENTS, rounds, type World } from './world.js'

/** What those are told who come while the grant is being spent, and afterwards. */
const REFUSED_MEANWHILE = ['concurrent_request_rejected', 'approval_required', 'rate_limited']

describe.each(DEPLOYMENTS)('approvals on $name', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment)
  })
  afterAll(() => world.end())

  it('R01: a one_time grant is used once by 48 at once', async () => {
    for (const round of rounds) {
      const token = await root(world)
      const parameters = { note: `R01 ${round}` }
      const id = await askForApproval(world, token, parameters.note)
      const { body: grant } = await approve(world, 0, id, { grant_type: 'one_time' })
      const replies = await invokeAtOnce(world, 48, 'refund', token, () => ({
        parameters,
        approval_grant: grant['grant_id'],
      }))
      expect({ done: successes(replies).length, ...failures(replies) }).toEqual({ done: 1, approval_grant_invalid: 47 })
      expect(await effectsOf(world, replies)).toBe(1)
    }
  })

  it('R02: a grant for 5 uses is used 5 times', async () => {
    for (const round of rounds) {
      const token = await root(world, { session_id: 's1' })
      const parameters = { note: `R02 ${round}` }
      const id = await askForApproval(world, token, parameters.note)
      const terms = { grant_type: 'session_bound', session_id: 's1', max_uses: 5 }
      const { body: grant } = await approve(world, 0, id, terms)
      const replies = await invokeAtOnce(world, 48, 'refund', token, () => ({
        parameters,
        approval_grant: grant['grant_id'],
      }))
      expect({ done: successes(replies).length, ...failures(replies) }).toEqual({ done: 5, approval_grant_invalid: 43 })
      expect(await effectsOf(world, replies)).toBe(5)
    }
  })

  it('R03: 48 approvers make one grant, and it works', async () => {
    for (const round of rounds) {
      const token = await root(world, { session_id: 's1' })
      const parameters = { note: `R03 ${round}` }
      const id = await askForApproval(world, token, parameters.note)
      const replies = await Promise.all(
        Array.from({ length: 48 }, (_, n) =>
          approve(
            world,
            n,
            id,
            n % 4 < 2 ? { grant_type: 'one_time' } : { grant_type: 'session_bound', session_id: 's1' },
          ),
        ),
      )
      const granted = replies.filter(({ status }) => status === 200)
      expect(granted).toHaveLength(1)
      expect(failures(replies)).toEqual({ approval_request_closed: 47 })
      const used = await invokeAtOnce(world, 1, 'refund', token, () => ({
        parameters,
        approval_grant: granted[0]!.body['grant_id'],
      }))
      expect(successes(used)).toHaveLength(1)
    }
  })

  it('N13: the same call made 48 times with approval "continue" has one effect, whatever is withdrawn meanwhile', async () => {
    for (const round of rounds) {
      const token = await root(world, { session_id: 's1' })
      const parameters = { note: `N13 ${round}` }
      const id = await askForApproval(world, token, parameters.note)
      await approve(world, 0, id, { grant_type: 'one_time' })
      const calls = invokeAtOnce(world, 48, 'refund', token, () => ({ parameters, approval: 'continue' }))
      const withdrawn =
        round % 2 === 1 ? world.post(1, `/svc/approval_requests/${id}/withdraw`, token.token, {}) : undefined
      const replies = await calls
      const done = successes(replies).length
      expect(done).toBe((await withdrawn)?.status === 200 ? 0 : 1)
      expect(await effectsOf(world, replies)).toBe(done)
      expect(Object.keys(failures(replies)).filter((type) => !REFUSED_MEANWHILE.includes(type))).toEqual([])
    }
  })

  it('R05: no effect starts after the answer to a revocation, of a call that was in flight or came later', async () => {
    let [effects, refused] = [0, 0]
    for (const round of rounds) {
      const token = await root(world, { session_id: 's1' })
      const parameters = { note: `R05-${round}` }
      const id = await askForApproval(world, token, parameters.note)
      const terms = { grant_type: 'session_bound', session_id: 's1', max_uses: 48 }
      const { body: grant } = await approve(world, 0, id, terms)
      const body = { parameters, approval_grant: grant['grant_id'] }
      const inFlight = Array.from({ length: 40 }, async (_, n) => {
        await sleep(3 * n)
        return invoke(world, n, 'refund', token, body)
      })
      await sleep(20 + (round % 60))
      const revoked = await world.post(0, '/svc/tokens/revoke', 'ana-key', { token_id: token.token_id })
      const answeredAt = Date.now()
      expect(revoked.status).toBe(200)
      const after = await invokeAtOnce(world, 8, 'refund', token, () => body)
      refused += failures(await Promise.all(inFlight))['token_revoked'] ?? 0
      expect(failures(after)).toEqual({ token_revoked: 8 })
      const starts = (await world.effects())
        .map((line) => line.split(' '))
        .filter(([, , note]) => note === parameters.note)
      expect(starts.filter(([, , , startedAt]) => Number(startedAt) > answeredAt)).toEqual([])
      effects += starts.length
    }
    expect(effects).toBeGreaterThan(0)
    expect(refused).toBeGreaterThan(0)
  })
})

describe.each(DEPLOYMENTS)('approvals at their expiry on $name', (deployment) => {
  let world: World
  beforeAll(async () => {
    world = await createWorld(deployment, undefined, { requestTtl: 'PT2S' })
  })
  afterAll(() => world.end())

  it('R04: nothing is granted at or after the expiry of the request', async () => {
    for (const some of inWaves(rounds)) {
      await Promise.all(
        some.map(async (round) => {
          const token = await root(world)
          const id = await askForApproval(world, token, `R04 ${round}`)
          const unknown = { approval_request_id: id, grant_type: 'for ever' }
          const { body: request } = await world.post(0, '/svc/approval_grants', 'bob-key', unknown)
          expect(request['success']).toBe(false)
          const expiresAt = await expiryOf(world, id)
          await sleep(Math.max(0, expiresAt - Date.now() + (round % 41) - 20))
          const { status, body } = await approve(world, round, id, { grant_type: 'one_time' })
          if (status === 200) expect(Date.parse(body['issued_at']!)).toBeLessThan(expiresAt)
          else expect(body['failure']?.['type']).toBe('approval_request_closed')
        }),
      )
    }
  })
})

/** A requester may have only so many requests open at a time. */
const inWaves = (all: readonly number[], most = 50): readonly (readonly number[])[] =>
  Array.from({ length: Math.ceil(all.length / most) }, (_, wave) => all.slice(wave * most, (wave + 1) * most))

async function expiryOf(world: World, id: string): Promise<number> {
  const response = await fetch(`${world.replicas[0]!.url}/svc/approval_requests/${id}`, {
    headers: { authorization: 'Bearer bob-key' },
  })
  return Date.parse(((await response.json()) as { expires_at: string }).expires_at)
}
