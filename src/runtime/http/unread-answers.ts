import type { ServerResponse } from 'node:http'
import type { RuntimeLimits } from '../limits.js'

/** Notes an answer that was written for a root principal, or for somebody unknown of a network. */
export type NoteAnswer = (outgoing: ServerResponse, principal: string | undefined, network: string) => void

interface Unread {
  readonly outgoing: ServerResponse
  readonly shares: readonly Share[]
  readonly bytes: number
}

/** Account that an answer counts for, and its size. */
interface Share {
  readonly name: string
  readonly most: number
}

type Bounds = Pick<RuntimeLimits, 'answerBytesUnread' | 'answerBytesUnreadPerCaller' | 'requestTimeoutMs'>

/** Part of `answerBytesUnread`. */
const PART_OF = { unknown: 0.25, known: 0.75 } as const

function sharesOf(bounds: Bounds, principal: string | undefined, network: string): readonly Share[] {
  const pool = principal === undefined ? 'unknown' : 'known'
  const name = principal === undefined ? `network ${network}` : `root ${principal}`
  const most = bounds.answerBytesUnread * PART_OF[pool]
  return [
    { name: pool, most },
    { name, most: Math.min(bounds.answerBytesUnreadPerCaller, most / 2) },
  ]
}

/**
 * Bounds the bytes of answers that have not left, of each caller and in pools: beyond the bound, the connection ends
 * that has waited longest for its client. A connection that takes nothing within the time of a request also ends
 * (threats N29, N30).
 */
export function unreadAnswers(bounds: Bounds): NoteAnswer {
  const unread = new Set<Unread>()
  const taken = new Map<string, number>()
  const add = ({ shares }: Unread, bytes: number): void => {
    for (const { name } of shares) {
      const sum = (taken.get(name) ?? 0) + bytes
      if (sum > 0) taken.set(name, sum)
      else taken.delete(name)
    }
  }
  const forget = (each: Unread): void => {
    if (unread.delete(each)) add(each, -each.bytes)
  }
  const makeRoom = ({ name, most }: Share, bytes: number): void => {
    for (const each of unread) {
      if ((taken.get(name) ?? 0) + bytes <= most) return
      if (!each.shares.some((share) => share.name === name)) continue
      forget(each)
      each.outgoing.destroy()
    }
  }
  return (outgoing, principal, network) => {
    const bytes = outgoing.writableLength
    if (bytes === 0 || outgoing.destroyed) return
    const own = { outgoing, shares: sharesOf(bounds, principal, network), bytes }
    for (const share of own.shares.toReversed()) makeRoom(share, bytes)
    unread.add(own)
    add(own, bytes)
    outgoing.socket?.setTimeout(bounds.requestTimeoutMs)
    outgoing.once('close', () => forget(own))
  }
}
