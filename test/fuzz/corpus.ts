/**
 * The corpus: inputs that once had a new answer, one gzipped file a parser (`corpus/<parser>.gz`), each input a line: a JSON string, a character a byte.
 * `zcat corpus/jwt.gz | sed -n 7p` prints the seventh.
 */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'

const CORPUS = 'test/fuzz/corpus'

const packed = (name: string): string => join(CORPUS, `${name}.gz`)

const linesOf = (name: string): readonly string[] =>
  existsSync(packed(name))
    ? gunzipSync(readFileSync(packed(name)))
        .toString()
        .split('\n')
        .filter(Boolean)
    : []

/** Returns the inputs kept for a parser. */
export const corpusOf = (name: string): readonly Buffer[] =>
  linesOf(name).map((line) => Buffer.from(JSON.parse(line) as string, 'latin1'))

/** Adds an input to the corpus; returns its digest, by which a report names it. */
export function keep(name: string, input: Buffer): string {
  const lines = [...new Set([...linesOf(name), JSON.stringify(input.toString('latin1'))])].sort()
  mkdirSync(CORPUS, { recursive: true })
  writeFileSync(packed(name), gzipSync(`${lines.join('\n')}\n`, { level: 9 }))
  return `${packed(name)} (sha256 ${createHash('sha256').update(input).digest('hex').slice(0, 16)})`
}
