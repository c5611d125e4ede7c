import type { Resolvers } from '../generated/handlers.js'

/** Region -> its accounts and the words that mean it. */
export const REGIONS: ReadonlyMap<string, { readonly words: readonly string[]; readonly accounts: readonly string[] }> =
  new Map([
    ['emea-north', { words: ['north', 'nordics', 'europe'], accounts: ['Nordlys', 'Fjord'] }],
    ['emea-south', { words: ['south', 'iberia', 'europe'], accounts: ['Alfama'] }],
    ['apac', { words: ['asia', 'pacific'], accounts: [] }],
  ])

/** What the caller's words mean: one region, several candidates, or none. */
export const resolveRegion: Resolvers['regions.resolver'] = ({ value }) => {
  const word = String(value).toLowerCase()
  if (REGIONS.has(word)) return { value: word }
  const meant = [...REGIONS].filter(([, { words }]) => words.includes(word)).map(([region]) => region)
  const [only] = meant
  if (only === undefined) return { unresolved: true }
  return meant.length === 1 ? { value: only } : { ambiguous: meant }
}
