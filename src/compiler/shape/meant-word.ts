import { nearest } from '../nearest.js'

/** Words that people know from elsewhere -> the word of a field that means the same, though it is spelt otherwise. */
const ELSEWHERE: ReadonlyMap<string, string> = new Map([
  ['none', 'read'], ['query', 'read'], ['reversible', 'write'], ['mutation', 'write'], ['permanent', 'irreversible'],
  ['exact', 'fixed'], ['quoted', 'estimated'], ['quote', 'estimated'], ['variable', 'dynamic'],
  ['once', 'one_time'], ['single_use', 'one_time'], ['session', 'session_bound'],
]) // prettier-ignore

/** The word that the author most likely meant; undefined if none is near. */
export function meantWord(written: string, words: readonly string[]): string | undefined {
  const known = ELSEWHERE.get(written.toLowerCase())
  return known !== undefined && words.includes(known) ? known : nearest(written, words)
}
