/** What differs of two texts: what they begin with and what they end with alike is left out. */
export interface Stretch {
  /** Characters before it. */
  readonly before: number
  /** Characters after it. */
  readonly after: number
}

export function changedStretch(old: string, text: string): Stretch {
  const limit = Math.min(old.length, text.length)
  const before = commonStart(old, text, limit)
  return { before, after: commonEnd(old, text, limit - before) }
}

const STRIDE = 4096

function commonStart(one: string, other: string, limit: number): number {
  let at = 0
  while (at + STRIDE <= limit && one.slice(at, at + STRIDE) === other.slice(at, at + STRIDE)) at += STRIDE
  while (at < limit && one.charCodeAt(at) === other.charCodeAt(at)) at++
  return at
}

function commonEnd(one: string, other: string, limit: number): number {
  let length = 0
  const same = (from: number, to: number): boolean =>
    one.slice(one.length - to, one.length - from) === other.slice(other.length - to, other.length - from)
  while (length + STRIDE <= limit && same(length, length + STRIDE)) length += STRIDE
  while (length < limit && one.charCodeAt(one.length - 1 - length) === other.charCodeAt(other.length - 1 - length))
    length++
  return length
}

/** Shorter texts are looked at as a whole. */
const SHORT = 32 * 1024

/**
 * Whether a text holds something that is at most so many characters long, asked again and again: of a text that differs
 * little from the last one that was free of it, only what differs is looked at. That one is kept.
 */
export function lookingAgain(holds: (text: string) => boolean, longest: number): (text: string) => boolean {
  let free = ''
  return (text) => {
    if (text.length < SHORT) return holds(text)
    const { before, after } = changedStretch(free, text)
    const isHeld = holds(text.slice(Math.max(0, before - longest), text.length - after + longest))
    if (!isHeld) free = text
    return isHeld
  }
}
