/** One run of `svc migrate partition`: step after step, each decided anew when it holds what it changes. */
import { StorageUnavailable } from '../../contract.js'
import { integer } from '../../sql/columns.js'
import { keep, row, rows, type Engine, type StoragePlan, type WriteOutcome } from '../../sql/plan.js'
import { endAnnounced, announcedEndOf, factsNow, partitionsNow, type Partition } from './facts.js'
import { stepAfter, type PartitionStep } from './next-step.js'
import { NotPartitioned } from './not-partitioned.js'
import {
  beginAttempt,
  isRefused,
  MigrationLockHeld,
  patiently,
  waitAtMost,
  type LockAttempt,
  type Patience,
} from './patience.js'
import { giveReading } from './rights.js'
import { announce, convert, cut, prove, takeBack } from './statements.js'

export interface Run {
  readonly engine: Engine
  /** A statement that takes the lock of migrations, and says in `held` whether it could. */
  readonly tryLock: string
  readonly size: number
  readonly patience: Patience
}

type Step = Exclude<PartitionStep, { readonly does: 'nothing' }>

/** An end that entries could reach, from when it is announced until it is made. */
interface End {
  readonly name: string
  readonly at: number
}

interface Ends {
  /** By this run: nobody else looks after it. */
  readonly announced?: End
  /** By whomever. */
  readonly seen?: number | undefined
}

/** Rejects with `NotPartitioned` where something stands against it, or it was interrupted. */
export async function extend(run: Run): Promise<readonly Partition[]> {
  const { engine, patience, size } = run
  let ends: Ends = {}
  try {
    for (;;) {
      const step = stepAfter(await engine.search(() => factsNow(size)))
      if (step.does === 'nothing') break
      const done = await patiently(engine, patience, (attempt) => advance(run, attempt, step))
      ends = endsAfter(done, ends)
    }
    await patiently(engine, patience, (attempt) => giveReadingOfAll(run, attempt))
  } catch (error) {
    throw await afterTakingBack(run, ends, error)
  }
  return engine.search(partitionsNow)
}

function endsAfter(done: PartitionStep, ends: Ends): Ends {
  if (done.does === 'announce') return { announced: { name: done.open.name, at: done.at }, seen: done.at }
  if (done.does === 'prove') return { ...ends, seen: done.open.ending?.at }
  return done.does === 'cut' ? {} : ends
}

/** Takes a step, unless others have taken it meanwhile; gives what was done. */
function* advance(run: Run, attempt: LockAttempt, step: Step): StoragePlan<WriteOutcome<PartitionStep>> {
  yield* beginAttempt(attempt)
  // Whoever brings the schema up to date must not wait for a proof, which changes nothing.
  if (step.does !== 'prove') yield* takeLock(run)
  yield* hold(step, attempt)
  const now = stepAfter(yield* factsNow(run.size))
  if (!isSame(now, step)) return keep({ does: 'nothing' })
  yield* take(now)
  return keep(now)
}

function* takeLock({ tryLock }: Run): StoragePlan<void> {
  if (integer((yield* row(tryLock))!, 'held') === 0) throw new MigrationLockHeld()
}

/** Whoever appends asks for the whole first, and then for a partition. */
function* hold(step: Step, { patienceMs }: LockAttempt): StoragePlan<void> {
  if (step.does === 'cut') yield* rows('lock table only audit_entries in access exclusive mode')
  yield* waitAtMost(patienceMs)
  const mode = step.does === 'prove' ? 'share update exclusive' : 'access exclusive'
  yield* rows(`lock table only ${step.does === 'convert' ? 'audit_entries' : step.open.name} in ${mode} mode`)
}

const nameIn = (step: PartitionStep): string | undefined => ('open' in step ? step.open.name : undefined)

const isSame = (one: PartitionStep, other: PartitionStep): boolean =>
  one.does === other.does && nameIn(one) === nameIn(other)

function* take(step: PartitionStep): StoragePlan<void> {
  if (step.does === 'convert') yield* convert()
  if (step.does === 'announce') yield* announce(step.open, step.at)
  if (step.does === 'prove') yield* prove(step.open)
  if (step.does === 'cut') yield* cut(step.open, step.at)
}

/** Whatever was granted on all tables since the last run. */
function* giveReadingOfAll(run: Run, attempt: LockAttempt): StoragePlan<WriteOutcome<void>> {
  yield* beginAttempt(attempt)
  yield* takeLock(run)
  for (const { name } of yield* partitionsNow()) yield* giveReading(name)
  return keep(undefined)
}

/** Gives the error that says what went wrong, and what entries will meet if an end stays. */
async function afterTakingBack(run: Run, { announced, seen }: Ends, error: unknown): Promise<unknown> {
  const stays = announced === undefined ? await endOfOthers(run, seen, error) : await takenBack(run, announced)
  const after =
    stays === undefined ? '' : ` From entry ${stays} on none can be written until svc migrate partition is run again.`
  if (run.patience.signal?.aborted === true) return new NotPartitioned(`It was interrupted.${after}`)
  if (error instanceof NotPartitioned) return new NotPartitioned(error.message + after, error.obstacle)
  if (error instanceof StorageUnavailable) return new StorageUnavailable(error.message + after, { cause: error.cause })
  return error
}

/** An end that others announced is not taken from them; those who are at work make it. */
async function endOfOthers({ engine }: Run, seen: number | undefined, error: unknown): Promise<number | undefined> {
  if (error instanceof NotPartitioned && error.obstacle === 'svc migrate') return undefined
  return engine.search(endAnnounced).catch(() => seen)
}

/** Gives the end if it stays all the same. */
async function takenBack({ engine, patience }: Run, announced: End): Promise<number | undefined> {
  const attempts = { attempts: patience.attempts }
  const isWorthAnother = (error: unknown): boolean => isRefused(error) || error instanceof StorageUnavailable
  return patiently(engine, attempts, (attempt) => undo(attempt, announced), isWorthAnother).catch(() => announced.at)
}

function* undo(attempt: LockAttempt, { name, at }: End): StoragePlan<WriteOutcome<undefined>> {
  yield* beginAttempt(attempt)
  yield* waitAtMost(attempt.patienceMs)
  yield* rows(`lock table only ${name} in access exclusive mode`)
  if ((yield* announcedEndOf(name)).ending?.at === at) yield* takeBack({ name })
  return keep(undefined)
}
