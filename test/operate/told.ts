/** What callers were told, and whether the trail and the effects agree with it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { invoke, type Issued } from '../races/acts.js'
import { verifyTrail, type VerifiedTrail } from '../races/verify-trail.js'
import type { Reply, World } from '../races/world.js'

export interface Told {
  readonly key: string
  readonly last: Reply
}

/** Calls `act` with one key, at the replicas in turn, until the answer says that calling again is of no use. */
export async function insist(world: World, token: Issued, key: string, n: number): Promise<Told> {
  for (let attempt = 0; attempt < 1200; attempt++) {
    const body = { parameters: { note: key } }
    const last = await invoke(world, n + attempt, 'act', token, body, { 'idempotency-key': key }).catch(() => undefined)
    if (last !== undefined && (last.status === 200 || last.body['failure']?.['retry'] === false)) return { key, last }
    await sleep(25)
  }
  throw new Error(`No answer ended the call ${key}.`)
}

/** So many keyed calls, one begun each so many ms. */
export const insistAll = (
  world: World,
  token: Issued,
  name: string,
  calls: number,
  everyMs: number,
): Promise<readonly Told[]> =>
  Promise.all(
    Array.from({ length: calls }, async (_, n) => {
      await sleep(n * everyMs)
      return insist(world, token, `${name}-${n}`, n)
    }),
  )

/** The lines of the file of effects: a word, an invocation's id, a note. */
export const effectsOf = async (world: World): Promise<readonly (readonly string[])[]> =>
  (await world.effects()).map((line) => line.split(' '))

/**
 * Nothing that was acknowledged is lost, no effect happened twice or without a trace, and the sequence has no gap and no repeat. Gives the
 * trail, and how many were acknowledged.
 */
export async function verifyTold(
  world: World,
  told: readonly Told[],
): Promise<{ readonly trail: VerifiedTrail; readonly acknowledged: number }> {
  const trail = await verifyTrail(world)
  expect(trail.sequences).toEqual(trail.sequences.map((_, index) => index + 1))
  const byId = new Map(trail.entries.map((entry) => [entry['invocation_id'], entry]))
  const effects = await effectsOf(world)
  expect(effects.filter(([, id]) => !byId.has(id))).toEqual([])
  const done = new Map<string, number>()
  for (const [, , note] of effects) if (note !== undefined) done.set(note, (done.get(note) ?? 0) + 1)

  const acknowledged = told.filter(({ last }) => last.status === 200)
  expect(acknowledged.filter(({ last }) => byId.get(last.body['invocation_id'])?.['success'] !== true)).toEqual([])
  expect(acknowledged.filter(({ key }) => done.get(key) !== 1)).toEqual([])
  expect(told.filter(({ key }) => (done.get(key) ?? 0) > 1)).toEqual([])
  const others = new Set(told.filter(({ last }) => last.status !== 200).map(({ last }) => last.body['failure']['type']))
  expect([...others].filter((type) => !['outcome_unknown', 'internal_error'].includes(type))).toEqual([])
  return { trail, acknowledged: acknowledged.length }
}
