import { isAnswer, MOST_BYTES, upstreamMessage } from './channel.js'

const MOST_MESSAGES = 2_000

/** Counts what a server sends beside its answers, and ends its channel where that is too much. */
export interface Unasked {
  add(messages: number, bytes: number): void
  /** Begins anew: the server has answered. */
  answered(): void
}

export function countUnasked(end: (why: string) => void): Unasked {
  let [messages, bytes] = [0, 0]
  return {
    add: (moreMessages, moreBytes) => {
      messages += moreMessages
      bytes += moreBytes
      if (messages > MOST_MESSAGES || bytes > MOST_BYTES)
        end(`The server sent more than ${MOST_MESSAGES} messages or ${MOST_BYTES} bytes unasked.`)
    },
    answered: () => void ([messages, bytes] = [0, 0]),
  }
}

/** Events of a server at an address, on all of its streams. */
export interface HeardEvents {
  asks(id: unknown): void
  /** The request is answered, or will not be. */
  settles(id: unknown): void
  /** Counts the data of an event that answers no request; false once that was too much. */
  hears(data: string, bytes: number): boolean
}

/** Bytes that an event counts beside its own: each takes time, even an empty one. */
const EVENT_BYTES = 64

export function heardEvents(end: (why: string) => void): HeardEvents {
  const asked = new Set<unknown>()
  let isOver = false
  const unasked = countUnasked((why) => {
    isOver = true
    end(why)
  })
  const settles = (id: unknown): boolean => {
    const isAsked = asked.delete(id)
    if (isAsked) unasked.answered()
    return isAsked
  }
  const answers = (data: string): boolean => {
    const message = asked.size === 0 ? undefined : upstreamMessage(data)
    return message !== undefined && isAnswer(message) && settles(message.id)
  }
  return {
    asks: (id) => void asked.add(id),
    settles,
    hears: (data, bytes) => {
      if (!isOver && !answers(data)) unasked.add(data === '' ? 0 : 1, bytes + EVENT_BYTES)
      return !isOver
    },
  }
}
