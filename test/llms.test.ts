import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

/** llms.txt is what a coding agent reads first. */
const linked = [...readFileSync('llms.txt', 'utf8').matchAll(/\]\(([^)]+)\)/gu)].map(([, path]) => path!)

it('llms.txt leads to files that are there', () => {
  expect(linked.filter((path) => !existsSync(path))).toEqual([])
})

it('llms.txt names every guide', () => {
  const guides = readdirSync('docs/guides').filter((name) => name.endsWith('.md'))
  expect(guides.filter((name) => !linked.includes(`docs/guides/${name}`))).toEqual([])
})
