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

/** Documents that quote: the glossary, the page on writing, the history, and pages that are made from the rules and their cases. */
const QUOTING = ['docs/glossary.md', 'docs/writing.md', 'docs/writing.md', 'CHANGELOG.md', 'docs/reference/rules']

const under = (place: string): readonly string[] =>
  statSync(place).isFile()
    ? [place]
    : readdirSync(place, { recursive: true, encoding: 'utf8' }).map((file) => join(place, file))

const files = ['src', 'templates', 'docs', 'README.md', 'CONTRIBUTING.md', 'SECURITY.md']
  .flatMap(under)
  .filter((file) => /\.(?:ts|md|tmpl|hbs|yaml)$/u.test(file) && !QUOTING.some((quoting) => file.startsWith(quoting)))

const texts = files.map((file) => [file, readFileSync(file, 'utf8')] as const)

it.each(BANNED.map(([words, instead]) => [instead, words] as const))('says %s', (_, words) => {
  const found = texts.flatMap(([file, text]) =>
    text
      .split('\n')
      .flatMap((line, index) => (words.test(line) ? [`${file}:${index + 1} ${line.trim().slice(0, 100)}`] : [])),
  )
  expect(found).toEqual([])
})

/** Beginning of a comment that is a riddle: a doc comment begins with a verb in the third person, or with a noun. */
const RIDDLE = /^(?:What|Whatever|Whether|Where|Wherever|Who|Whoever|Whose|How|Which|When|Why|If|That|Those)\b/u

/** Folders of `src` whose comments are not all rewritten, with the most riddles that each may have. Only lower these. */
const RIDDLES: { readonly [folder: string]: number } = {
  'cli/doctor': 27,
  'cli/import': 16,
  'runtime/rows': 4,
  'runtime/storage': 130,
  'runtime/upstream': 38,
}

/** `runtime/storage` of `src/runtime/storage/sql/rows.ts`. */
const folderOf = (file: string): string => file.split('/').slice(1, 3).join('/')

it('begins doc comments with a verb or a noun, not with What, Whether or Where', () => {
  const found = texts.flatMap(([file, text]) =>
    file.startsWith('src/')
      ? [...text.matchAll(/\/\*\*\s*(?:\*\s*)?(\S[^\n]*)/gu)]
          .filter(([, comment = '']) => RIDDLE.test(comment))
          .map(([, comment = '']) => [folderOf(file), `${file} ${comment.slice(0, 80)}`] as const)
      : [],
  )
  const countIn = (folder: string): number => found.filter(([each]) => each === folder).length
  const over = found.filter(([folder]) => countIn(folder) > (RIDDLES[folder] ?? 0)).map(([, riddle]) => riddle)
  expect(over).toEqual([])
})

/** Shapes of sentences that docs/writing.md replaces, with the most lines of messages and guides that may have them. */
const SHAPES: readonly (readonly [shape: RegExp, most: number, instead: string])[] = [
  [/(?:^|[.:;] )(?:Whoever|Who|What|Where) (?!is the|can I|if\b)[^?]*?[.,]/u, 176, 'a noun, not a clause'],
  [/\b(?:[Ww]hoever|[Ss]omebody|[Nn]obody)\b/u, 136, 'the agent, the approver, you'],
  [
    /\b(?:trail|report|page|log|manifest|file|answer|message|service|token) (?:says|tells|knows|speaks|stands|gives)\b/u,
    41,
    'records, contains, returns',
  ],
  [/\bstands?\b(?!ard)(?! for\b)/u, 73, 'is'],
  [/, as (?=[a-z0-9`$]+[:\d`./@])/u, 22, 'such as'],
  [/\b(?:buys?|bought)\b/u, 33, 'request a token'],
  [/, too\b/u, 46, 'also'],
  [/\b(?:go|goes|going|went) on\b/u, 51, 'continue'],
  [/\b(?:any more|no more)\b/u, 43, 'no longer'],
  [/\b(?:anew|meanwhile|hitherto|thereof|herein|once more)\b/u, 31, 'again, in the meantime'],
  [/\bthe agent (?:reads|gets|gives|comes|calls|waits|looks)\b/u, 3, 'an imperative for the reader'],
]

/** Lines of text for people: sentences in strings of `src`, and what guides and references say outside of code. */
const lines = texts.flatMap(([file, text]): readonly string[] =>
  file.startsWith('src/')
    ? [...text.replaceAll(/\/\*[\s\S]*?\*\//gu, '').matchAll(/'((?:[^'\\\n]|\\.)*)'|`((?:[^`\\]|\\.)*)`/gu)]
        .map(([, quoted, template]) => quoted ?? template ?? '')
        .filter((string) => /\S \S/u.test(string))
    : /^docs\/(?:guides|reference|interface)\/|^README/u.test(file)
      ? text.replaceAll(/^```[\s\S]*?^```/gmu, '').split('\n')
      : [],
)

it.each(SHAPES)('has no more of %s than %i: say %s', (shape, most) => {
  expect(lines.filter((line) => shape.test(line)).length).toBeLessThanOrEqual(most)
})
