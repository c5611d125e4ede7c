import { recent } from './recent.js'

/**
 * Counts what happens per minute in this process alone: for callers whom nobody knows, who must not make a replica
 * write.
 */
export interface LocalRates {
  /** Takes a place under a name, or says after how many seconds one will be free. */
  take(name: string, perMinute: number): number | undefined
}

interface Bucket {
  tokens: number
  filledAt: number
}

const MOST_NAMES = 20_000

/** Token buckets that fill steadily and hold one minute's worth; the least recently used ones are forgotten. */
export function localRates(now: () => number): LocalRates {
  const buckets = recent<Bucket>(MOST_NAMES)
  return {
    take(name, perMinute) {
      const bucket = buckets.get(name) ?? { tokens: perMinute, filledAt: now() }
      fill(bucket, perMinute, now())
      if (bucket.tokens < 1) return Math.max(1, Math.ceil(((1 - bucket.tokens) * 60) / perMinute))
      bucket.tokens -= 1
      buckets.set(name, bucket)
      return undefined
    },
  }
}

function fill(bucket: Bucket, perMinute: number, now: number): void {
  const passed = Math.max(0, now - bucket.filledAt)
  bucket.tokens = Math.min(perMinute, bucket.tokens + (passed / 60_000) * perMinute)
  bucket.filledAt = now
}
