/**
 * Plays plans on PostgreSQL. After any error the connection is thrown away, which rolls back whatever was open on it.
 */
import type { ClientBase, Pool } from 'pg'
import { StorageUnavailable } from '../contract.js'
import type { Engine, WriteOutcome, StoragePlan, Rows, Statement } from '../sql/plan.js'
import { askUnprepared, control, unavailable, type Ask } from './ask.js'
import type { Reader } from './reader.js'

export interface Connections {
  readonly pool: Pool
  /** For what may read much, so that nothing else waits for it. */
  readonly searches: Pool
  readonly reader: Reader
  readonly prober: Reader
  readonly ask: Ask
}

export function postgresEngine({ pool, searches, reader, prober, ask }: Connections): Engine {
  const borrowing = async <T>(use: (client: ClientBase) => Promise<T>, from = pool): Promise<T> => {
    const client = await from.connect().catch((error: unknown) => {
      throw unavailable(error)
    })
    let done = false
    try {
      const value = await use(client)
      done = true
      return value
    } finally {
      client.release(!done)
    }
  }

  return {
    isShared: true,
    write: (plan) => borrowing((client) => playInTransaction(client, plan, ask)),
    writeSingly: (plan) =>
      borrowing(async (client) => (await play(plan(), (statement) => ask(client, statement))).value),
    probe: async (plan) => (await play(plan(), (statement) => prober.ask(statement))).value,
    isTaken,
    read: (plan) => play(plan(), (statement) => reader.ask(statement)),
    search: (plan) => borrowing((client) => play(plan(), (statement) => askUnprepared(client, statement)), searches),
    close: async () => {
      await Promise.all([pool.end(), searches.end(), reader.close(), prober.close()])
    },
  }
}

const UNIQUE_VIOLATION = '23505'

function isTaken(error: unknown, index: string): boolean {
  const cause: unknown = error instanceof StorageUnavailable ? error.cause : undefined
  if (typeof cause !== 'object' || cause === null || !('code' in cause) || !('constraint' in cause)) return false
  return cause.code === UNIQUE_VIOLATION && cause.constraint === index
}

async function play<T>(playing: StoragePlan<T>, answer: (statement: Statement) => Promise<Rows>): Promise<T> {
  let step = playing.next()
  while (step.done !== true) step = playing.next(await answer(step.value))
  return step.value
}

/** Statements that nobody waits for are sent ahead; the commit counts only if all of them went well. */
async function playInTransaction<T>(
  client: ClientBase,
  plan: () => StoragePlan<WriteOutcome<T>>,
  ask: Ask,
): Promise<T> {
  const ahead: Promise<unknown>[] = []
  const sendAhead = (sent: Promise<unknown>): void => {
    // Its failure is looked at below; until then nobody need hear of it.
    sent.catch(() => undefined)
    ahead.push(sent)
  }
  const answer = (statement: Statement): Promise<Rows> | Rows => {
    const asked = ask(client, statement)
    if (statement.blind !== true) return asked
    sendAhead(asked)
    return []
  }
  sendAhead(control(client, 'begin'))
  try {
    const outcome = await playAhead(plan(), answer)
    const [ended] = await Promise.all([control(client, outcome.stands ? 'commit' : 'rollback'), ...ahead])
    if (outcome.stands && ended !== 'COMMIT') throw new StorageUnavailable('PostgreSQL did not commit.')
    return outcome.value
  } catch (error) {
    throw firstFailure(await Promise.allSettled(ahead)) ?? error
  }
}

async function playAhead<T>(
  playing: StoragePlan<T>,
  answer: (statement: Statement) => Promise<Rows> | Rows,
): Promise<T> {
  let step = playing.next()
  while (step.done !== true) {
    const rows = answer(step.value)
    step = playing.next(rows instanceof Promise ? await rows : rows)
  }
  return step.value
}

/** The error that made the others fail. */
const firstFailure = (settled: readonly PromiseSettledResult<unknown>[]): unknown =>
  settled.find((each): each is PromiseRejectedResult => each.status === 'rejected')?.reason
