/** The trail as it grows, as server-sent events (decisions, section 13). */
import type { AuditEntry } from '../../protocol/audit.js'
import { leafHash } from '../../crypto/merkle/merkle.js'
import { reportDamage } from './audit.js'
import { refuse } from '../errors/refusal.js'
import type { Service } from '../service.js'
import { DamagedRow } from '../storage/sql/columns.js'

/** Returns the part of an entry that a reader may see; undefined for none. */
export type Shown = (entry: AuditEntry) => object | undefined

export interface Tail {
  /** Takes a place among the streams that may be open, and gives the way to give it back. */
  readonly takePlace: () => () => void
  /** The sequence of the entry that was seen last; the newest one, when absent. */
  readonly after: number | undefined
  /** Asked before each look: what may be shown by now; undefined ends the stream. */
  readonly may: () => Promise<Shown | undefined>
}

/** ms between two looks at the trail; replicas write it, too, so the store is asked. */
const LOOK_EVERY_MS = 500
/** Entries of one look. */
const AT_ONCE = 100

/**
 * Follows the trail, oldest entry first, each as an event `entry` with its sequence as id. Entries are read only as
 * fast as they are taken. It ends when the service stops, when nothing may be shown any more, and after the time of a
 * stream; whoever goes on gives the last id.
 */
export async function followTrail(
  service: Service,
  { takePlace, after, may }: Tail,
): Promise<ReadableStream<Uint8Array>> {
  const { limits, lifecycle } = service
  const release = once(takePlace())
  const endsAt = performance.now() + limits.streamTimeoutMs
  let [seen, beatAt, isLeft] = [after ?? (await sizeOr(service, release)), performance.now(), false]
  /** Returns the next text to send; undefined at the end. */
  const look = async (): Promise<string | undefined> => {
    const shown = lifecycle.draining || performance.now() > endsAt ? undefined : await may()
    if (shown === undefined) return undefined
    const texts = await textsAfter(service, seen)
    seen = texts.at(-1)?.sequence ?? seen
    return texts.map(({ text }) => (text === null ? '' : eventOf(JSON.parse(text) as AuditEntry, shown))).join('')
  }
  return new ReadableStream<Uint8Array>({
    // Whoever comes back before the first entry goes on from here.
    start: (controller) => controller.enqueue(bytes(`retry: 1000\nid: ${seen}\nevent: from\ndata: ${seen}\n\n`)),
    pull: async (controller) => {
      for (;;) {
        const text = await look().catch(() => undefined)
        if (text === undefined || isLeft) break
        const isQuiet = performance.now() - beatAt > limits.streamHeartbeatMs
        if (text !== '' || isQuiet) {
          beatAt = performance.now()
          // Who comes back goes on from here, though nothing of it was to be shown.
          return controller.enqueue(bytes(text === '' ? `id: ${seen}\n\n` : text))
        }
        await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS))
      }
      release()
      if (!isLeft) controller.close()
    },
    cancel: () => {
      isLeft = true
      release()
    },
  })
}

/** Texts as they were recorded: one that does not hash to its leaf is nobody's to read, and ends the stream. */
async function textsAfter(service: Service, seen: number) {
  const { audit } = service.storage
  const texts = await audit.texts(seen + 1, AT_ONCE)
  const hashes = await audit.nodes(texts.map(({ sequence }) => ({ level: 0, index: sequence - 1 })))
  const damaged = texts.find(({ text }, at) => text !== null && Buffer.compare(leafHash(text), hashes[at]!) !== 0)
  if (damaged === undefined) return texts
  const trouble = `The text of entry ${damaged.sequence} is not the one that was recorded.`
  return reportDamage(service, new DamagedRow(trouble))
}

const sizeOr = (service: Service, release: () => void): Promise<number> =>
  service.storage.audit.size().catch((error: unknown) => {
    release()
    throw error
  })

function eventOf(entry: AuditEntry, shown: Shown): string {
  const answered = shown(entry)
  return answered === undefined ? '' : `id: ${entry.sequence}\nevent: entry\ndata: ${JSON.stringify(answered)}\n\n`
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

function once(act: () => void): () => void {
  let isDone = false
  return () => {
    if (!isDone) act()
    isDone = true
  }
}

/** The last id that somebody has seen who comes back. */
export const sequenceOf = (text: string | null): number | undefined =>
  text === null
    ? undefined
    : /^\d{1,9}$/u.test(text)
      ? Number(text)
      : refuse('invalid_parameters', 'The last id must be a sequence.')
