/** Access tokens of connections, in the memory of this process alone (decisions, section 19). */

export interface HeldToken {
  readonly connectionId: string
  readonly token: string
  /** ms since the epoch until which the token is used. */
  readonly until: number
}

export interface ConnectionMemory {
  /** Person and upstream -> access token. */
  readonly held: Map<string, HeldToken>
  /** Connection -> renewal of it that this process waits for. */
  readonly renewals: Map<string, Promise<HeldToken | undefined>>
}

export const connectionMemory = (): ConnectionMemory => ({ held: new Map(), renewals: new Map() })

const MOST_HELD = 10_000

export const placeOf = (person: string, upstream: string): string => JSON.stringify([person, upstream])

/** Holds a token; of too many, the one that was held first is renewed when it is needed again. */
export function hold({ held }: ConnectionMemory, place: string, token: HeldToken): HeldToken {
  held.delete(place)
  held.set(place, token)
  if (held.size > MOST_HELD) held.delete(held.keys().next().value!)
  return token
}
