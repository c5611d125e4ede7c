/** docs/security.md and its pages: each promise has two sentences, a bound, and a test that names it. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const INDEX = readFileSync('docs/security.md', 'utf8')
const PAGES = readdirSync('docs/security').map((name) => [name, readFileSync(`docs/security/${name}`, 'utf8')] as const)
const PROMISES = PAGES.flatMap(([page, text]) =>
  text
    .split(/^## (?=N\d\d )/mu)
    .slice(1)
    .map((section) => {
      const [head = '', promise = '', list = ''] = section.split(/^## /mu)[0]!.split('\n\n')
      return { page, id: head.slice(0, 3), promise, list }
    }),
)

it('the index leads to each page, and names each promise once', () => {
  for (const [name] of PAGES) expect(INDEX).toContain(`](security/${name})`)
  const [who = ''] = INDEX.split('## Not promised')
  const named = Array.from(who.matchAll(/\bN\d\d\b/gu), ([id]) => id)
  expect(named.toSorted()).toEqual(PROMISES.map(({ id }) => id).toSorted())
})

it.each(PROMISES)('$id on $page: two sentences, a bound, a test', ({ id, promise, list }) => {
  expect(promise.match(/\.(?=\s|$)/gu)).toHaveLength(2)
  const [, bound, test] = /^- Bound: (.+)\n- Test: `(test\/\S+)`$/su.exec(list.trim()) ?? []
  expect(bound).toMatch(/\.$/u)
  expect(existsSync(test!)).toBe(true)
  expect(readFileSync(test!, 'utf8')).toMatch(new RegExp(`['"\`](?:[A-Z]\\d\\d,? |to )*${id}[ ,:]`, 'u'))
})
