/** Pages of tokens whose state is judged after they were read: each token once, and every page leads on (decisions, section 13). */
import { expect, it } from 'vitest'
import { startFixture } from './fixture/service.js'
import { token } from './storage/examples.js'

/** Tokens in the order of their ids: those that stand, and those that were revoked. */
async function withTokens(states: readonly ('live' | 'revoked')[]) {
  const fixture = await startFixture()
  const exp = fixture.time.now / 1000 + 60
  for (const [at, state] of states.entries()) {
    const id = `tok_${String(at).padStart(22, '0')}`
    const { claims, depth } = token(id)
    await fixture.storage.tokens.insert({ claims: { ...claims, exp }, depth })
    if (state === 'revoked') await fixture.storage.tokens.revoke(id, 1)
  }
  const page = async (query: string) => {
    const { status, body } = await fixture.call('GET', `/-/tokens?${query}`, { bearer: 'op-key' })
    if (status !== 200) throw new Error(JSON.stringify(body))
    const { tokens, count, next_cursor } = body as unknown as { readonly tokens: readonly { readonly token_id: string }[]; readonly count: number; readonly next_cursor?: string } // prettier-ignore
    return { ids: tokens.map(({ token_id }) => Number(token_id.slice(4))), count, next_cursor }
  }
  return async (query: string) => {
    const pages: (readonly number[])[] = []
    for (let cursor = ''; ;) {
      const { ids, count, next_cursor } = await page(`${query}${cursor}`)
      expect(count).toBe(ids.length)
      pages.push(ids)
      if (next_cursor === undefined) return pages
      cursor = `&cursor=${next_cursor}`
    }
  }
}

it.each([
  ['state=live&limit=2', [[0, 2], [3, 5]]],
  ['state=revoked&limit=2', [[1, 4], [6]]],
  ['state=live&limit=3', [[0, 2, 3], [5]]],
  ['state=live&limit=4', [[0, 2, 3, 5]]],
  ['state=expired&limit=2', [[]]],
  ['limit=4', [[0, 1, 2, 3], [4, 5, 6]]],
])('%s', async (query, pages) => {
  const walk = await withTokens(['live', 'revoked', 'live', 'live', 'revoked', 'live', 'revoked'])
  expect(await walk(query)).toEqual(pages)
}) // prettier-ignore

it('a page ends after ten readings that find nothing, and leads on', async () => {
  const walk = await withTokens([...Array<'revoked'>(25).fill('revoked'), 'live'])
  expect(await walk('state=live&limit=2')).toEqual([[], [25]])
})
