import { expect, it } from 'vitest'
import { includesOf } from '../../../src/compiler/parse/includes.js'

const REST = 'trust: { level: signed }\n'

it.each([
  ['on its own line', `include: [a.yaml]\n${REST}`],
  ['after a byte order mark', `\uFEFFinclude: [a.yaml]\n${REST}`],
  ['in an indented root', `  trust: { level: signed }\n  include: [a.yaml]\n`],
  ['in JSON', `{\n  "trust": { "level": "signed" },\n  "include": ["a.yaml"]\n}\n`],
  ['in JSON on one line', '{"include":["a.yaml"]}'],
  ['after the mark of a document', '--- {include: [a.yaml]}'],
  ['as a key with a mark', `? include # these\n: [a.yaml]\n${REST}`],
  ['as a key over two lines', `{ include\n  : [a.yaml] }`],
  ['with a tag', `!!str include: [a.yaml]\n${REST}`],
  ['with an anchor', `&a include: [a.yaml]\n${REST}`],
  ['with an escape', `"inclu\\x64e": [a.yaml]\n${REST}`],
  ['with a line end that is escaped', `? "inclu\\\n  de"\n: [a.yaml]\n${REST}`],
  ['through an alias', `x-word: &k include\n*k : [a.yaml]\n${REST}`],
])('finds an include %s', (_, text) => {
  expect(includesOf({ file: 'svc.yaml', text })).toEqual(['a.yaml'])
})

it.each([
  ['an inner field', 'x-more: { include: [a.yaml] }\n'],
  ['a text', 'x-more: "include: [a.yaml]"\n'],
  ['a comment', '# include: [a.yaml]\nx-more: 1\n'],
])('takes %s for no include', (_, text) => {
  expect(includesOf({ file: 'svc.yaml', text })).toEqual([])
})
