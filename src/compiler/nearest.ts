import { distance } from 'fastest-levenshtein'
import type { FindingDetails } from './finding.js'

/** Candidates beyond this many are not searched one by one for a typo. */
const MOST = 20_000

/** The candidate that the author most likely meant; undefined if none is near. */
export function nearest(word: string, candidates: Iterable<string>): string | undefined {
  const wanted = word.toLowerCase()
  let best: string | undefined
  let bestDistance = Math.max(1, Math.floor(Math.min(word.length, 24) * 0.4)) + 1
  let seen = 0
  for (const candidate of candidates) {
    if (++seen > MOST) break
    if (Math.abs(candidate.length - word.length) >= bestDistance) continue
    const steps = distance(wanted, candidate.toLowerCase())
    if (steps < bestDistance) [best, bestDistance] = [candidate, steps]
  }
  return best
}

/** Returns `question` as an edit that replaces the wrong name by the nearest one. */
export const meant = (near: string | undefined): FindingDetails =>
  near === undefined ? {} : { suggestion: near, isGuess: true }

/** ` Did you mean …?`, or nothing. */
export const question = (near: string | undefined): string => (near === undefined ? '' : ` Did you mean \`${near}\`?`)
