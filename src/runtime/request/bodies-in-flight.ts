import { failure } from '../../protocol/failures.js'
import { Refusal } from '../errors/refusal.js'
import type { RuntimeLimits } from '../limits.js'
import { shareBelow } from './share-below.js'
import { turns } from './turns.js'

/**
 * Room for request bodies that are not complete yet, in pools: strangers take it from strangers, and nobody from those
 * who revoke and operate (decisions, section 20; threats N10, N29, N30).
 */
export interface BodiesInFlight {
  begin(sender: BodySender): BodyInFlight
  /** Holds for a minute after a body was refused or ended. */
  wereRefused(): boolean
}

/** Sender of a body: a network, if unauthenticated; otherwise a root principal, and its tokens, root first. */
export type BodySender =
  | { readonly pool: 'unknown'; readonly network: string }
  | { readonly pool: 'known' | 'reserved'; readonly root: string; readonly tokens: readonly string[] }

export interface BodyInFlight {
  /** Bytes that the body may have. */
  readonly most: number
  /** Takes the bytes of a part; false where there is no room for them, and once the body was ended. */
  take(bytes: number): boolean
  /** Says that the body is complete, and when it may be read; what it took it keeps until then. */
  turn(): Promise<void> | undefined
  /** Gives back what was taken: the body is read, or nobody waits for it any more. */
  end(): void
  /** Says what is done when the body is ended, because it makes no progress while room is scarce. */
  whenEnded(act: () => void): void
}

type Bounds = Pick<
  RuntimeLimits,
  | 'bodyBytes'
  | 'bodyBytesOfUnknown'
  | 'bodyBytesReserved'
  | 'bodyBytesInFlight'
  | 'bodyBytesInFlightPerPrincipal'
  | 'bodyBytesInFlightPerToken'
  | 'bodyStallMs'
>

/** Parts of `bodyBytesInFlight`. */
const PART_OF = { unknown: 0.05, known: 0.85, reserved: 0.1 } as const

/** Account that a body counts for, and its size. */
interface Share {
  readonly name: string
  readonly most: number
}

function sharesOf(bounds: Bounds, sender: BodySender): readonly Share[] {
  const all = bounds.bodyBytesInFlight * PART_OF[sender.pool]
  const pool = { name: 'all', most: all }
  if (sender.pool === 'unknown') return [pool, { name: `network ${sender.network}`, most: all / 4 }]
  const [ofRoot, ofToken, least] =
    sender.pool === 'reserved'
      ? [all / 10, all / 20, all / 1000]
      : [bounds.bodyBytesInFlightPerPrincipal, bounds.bodyBytesInFlightPerToken, 2 * bounds.bodyBytes]
  const tokens = sender.tokens.map((id, depth) => ({
    name: `token ${id}`,
    most: shareBelow(ofToken, depth, Math.min(ofToken, least)),
  }))
  return [pool, { name: `root ${sender.root}`, most: ofRoot }, ...tokens]
}

/** Name of those whose turns come after each other: a network, or a root token and all below it. */
const callerOf = (sender: BodySender): string =>
  sender.pool === 'unknown' ? `network ${sender.network}` : `token ${sender.tokens[0] ?? sender.root}`

interface Open {
  readonly shares: readonly Share[]
  readonly own: number
  readonly at: number
  stop(): void
}

/** Usage of each share, and the open bodies: those without progress for longest come first. */
interface Pool {
  readonly taken: Map<string, number>
  readonly open: Set<Open>
}

const emptyPool = (): Pool => ({ taken: new Map(), open: new Set() })

/** Cost of a part beside its bytes. */
const PART_BYTES = 256
const REFUSED_FOR_MS = 60_000

/** The bodies of a process; `refused` is told at most once a minute. */
export function bodiesInFlight(
  bounds: Bounds,
  now: () => number,
  refused: (pool: BodySender['pool']) => void = () => undefined,
): BodiesInFlight {
  const pools = { unknown: emptyPool(), known: emptyPool(), reserved: emptyPool() }
  const mostOf = { unknown: bounds.bodyBytesOfUnknown, known: bounds.bodyBytes, reserved: bounds.bodyBytesReserved }
  const turnOf = turns()
  let refusedAt = -Infinity
  const wereRefused = (): boolean => now() - refusedAt < REFUSED_FOR_MS
  const note = (pool: BodySender['pool']): void => {
    if (!wereRefused()) refused(pool)
    refusedAt = now()
  }
  const begin = (sender: BodySender): BodyInFlight => {
    const pool = pools[sender.pool]
    const shares = sharesOf(bounds, sender)
    let [isOver, whenEnded] = [false, (): void => undefined]
    let open: Open = { shares, own: 0, at: now(), stop }
    function end(): void {
      give(pool, open)
      open = { ...open, own: 0 }
    }
    function stop(): void {
      isOver = true
      note(sender.pool)
      end()
      whenEnded()
    }
    const take = (bytes: number): boolean => {
      const cost = bytes + PART_BYTES
      pool.open.delete(open)
      endStalled(pool, shares, now() - bounds.bodyStallMs)
      if (isOver || !fits(pool, shares, cost)) {
        note(sender.pool)
        return false
      }
      open = { ...open, own: open.own + cost, at: now() }
      keep(pool, open, cost)
      return true
    }
    const turn = (): Promise<void> | undefined => {
      pool.open.delete(open)
      return sender.pool === 'reserved' ? undefined : turnOf(callerOf(sender), open.own)
    }
    return { most: mostOf[sender.pool], take, turn, end, whenEnded: (act) => void (whenEnded = act) }
  }
  return { begin, wereRefused }
}

const fits = ({ taken }: Pool, shares: readonly Share[], cost: number): boolean =>
  shares.every(({ name, most }) => (taken.get(name) ?? 0) + cost <= most)

function keep(pool: Pool, open: Open, cost: number): void {
  pool.open.add(open)
  for (const { name } of open.shares) pool.taken.set(name, (pool.taken.get(name) ?? 0) + cost)
}

function give(pool: Pool, open: Open): void {
  pool.open.delete(open)
  for (const { name } of open.shares) {
    const left = (pool.taken.get(name) ?? 0) - open.own
    if (left <= 0) pool.taken.delete(name)
    else pool.taken.set(name, left)
  }
}

/** Ends bodies that have made no progress since a time, in shares that are more than half used. */
function endStalled({ taken, open }: Pool, shares: readonly Share[], since: number): void {
  const scarce = shares.filter(({ name, most }) => (taken.get(name) ?? 0) > most / 2).map(({ name }) => name)
  if (scarce.length === 0) return
  for (const each of open) {
    if (each.at > since) return
    if (each.shares.some(({ name }) => scarce.includes(name))) each.stop()
  }
}

export function refuseBusy(): never {
  const detail = 'Too many request bodies are on their way. Send fewer at a time, and each without pauses.'
  throw new Refusal(failure('rate_limited', detail), { retryAfter: 1 })
}
