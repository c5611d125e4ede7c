import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

/** A word of the glossary that is not used -> the one that is. Words that English needs elsewhere are for the reader to find. */
const BANNED: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\bmend(?:s|ed|ing)?\b/iu, 'fix'],
  [/\bun?sound(?:ly)?\b|\bsound(?:ly)?\b/iu, 'valid'],
  [/\b(?:in|out of) step with\b|\b(?:is|are|be|kept?) (?:in|out of) step\b/iu, 'up to date, out of date'],
  [/\bspots?\b/iu, 'span'],
  [/\b(?:taken?|took) (?:for|as) lost\b/iu, 'presumed dead'],
  [/\bsigners? elsewhere\b/iu, 'remote signer'],
  [/\bresolvers? of bindings\b/iu, 'binding resolver'],
  [/\bleast severity\b/iu, 'minimum severity'],
  [/\blaw:/u, 'description'],
]

/** Documents that quote: the glossary itself, the history, and pages that are made from the rules and their cases. */
const QUOTING = ['docs/glossary.md', 'CHANGELOG.md', 'docs/reference/rules']

const under = (place: string): readonly string[] =>
  statSync(place).isFile()
    ? [place]
    : readdirSync(place, { recursive: true, encoding: 'utf8' }).map((file) => join(place, file))

const files = ['src', 'templates', 'docs', 'README.md', 'CONTRIBUTING.md', 'SECURITY.md']
  .flatMap(under)
  .filter((file) => /\.(?:ts|md|tmpl|hbs|yaml)$/u.test(file) && !QUOTING.some((quoting) => file.startsWith(quoting)))

it.each(BANNED.map(([words, instead]) => [instead, words] as const))('says %s', (_, words) => {
  const found = files.flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .flatMap((line, index) => (words.test(line) ? [`${file}:${index + 1} ${line.trim().slice(0, 100)}`] : [])),
  )
  expect(found).toEqual([])
})
