/** What of a store is one transaction: a change, and the event that tells of it, stand or fall together. */
import { expect, it } from 'vitest'
import type { OutgoingEvent } from '../../../src/runtime/storage/contract.js'
import { approvalStore } from '../../../src/runtime/storage/sql/approvals.js'
import { idempotencyStore } from '../../../src/runtime/storage/sql/idempotency.js'
import type { Engine, Rows, StoragePlan, WriteOutcome } from '../../../src/runtime/storage/sql/plan.js'
import { tokenStore } from '../../../src/runtime/storage/sql/tokens.js'
import { decision } from './examples.js'

/** Plays plans with the rows that it is given for a part of a statement, and notes how it was asked to. */
function scripted(found: { readonly [partOfSql: string]: Rows } = {}) {
  const played: string[] = []
  const finished = <T>(plan: StoragePlan<T>): T => {
    let step = plan.next()
    while (step.done !== true) {
      const { sql } = step.value
      step = plan.next(Object.entries(found).find(([part]) => sql.includes(part))?.[1] ?? [])
    }
    return step.value
  }
  const reading =
    (how: string) =>
    async <T>(plan: () => StoragePlan<T>) => {
      played.push(how)
      return finished(plan())
    }
  const writing =
    (how: string) =>
    async <T>(plan: () => StoragePlan<WriteOutcome<T>>) => {
      played.push(how)
      return finished(plan()).value
    }
  const engine = { write: writing('a transaction'), writeSingly: writing('statements'), read: reading('a read'), search: reading('a search') } as Partial<Engine> as Engine // prettier-ignore
  return { engine, played }
}

const EVENT = { id: 'evt_1', body: '{}', targets: [] } as unknown as OutgoingEvent

it.each([
  ['with an event', EVENT, 'a transaction'],
  ['without one', undefined, 'statements'],
])('a revocation %s is %s', async (_, event, how) => {
  const { engine, played } = scripted()
  await tokenStore(engine).revoke('tok_1', 1, event)
  expect(played).toEqual([how])
})

it.each([
  ['with an event', EVENT, 'a transaction'],
  ['without one', undefined, 'statements'],
])('a denial %s is %s', async (_, event, how) => {
  const { engine, played } = scripted()
  await approvalStore(engine).deny('apr_1', decision, event)
  expect(played).toEqual([how])
})

it('a withdrawal, and the end of a grant, is one transaction', async () => {
  const { engine, played } = scripted()
  await approvalStore(engine).withdraw('apr_1', 'now', EVENT)
  await approvalStore(engine).revokeGrant('grt_1')
  expect(played).toEqual(['a transaction', 'a transaction'])
})

it('a key whose claim has gone between two statements is in progress, and starts nothing', async () => {
  const { engine } = scripted()
  const key = { subject: 'agent:a', capability: 'book', key: 'k' } as const
  expect(await idempotencyStore(engine).start(key, 'd1', 'inv-1', 1)).toEqual({ state: 'in_progress' })
})
