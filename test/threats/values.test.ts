import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { emit } from '../../src/compiler/emit.js'
import { patternTrouble } from '../../src/compiler/rules/facts/schemas/pattern-trouble.js'
import { readPattern } from '../../src/compiler/rules/facts/schemas/read-pattern.js'
import { linearPattern } from '../../src/runtime/patterns.js'
import { cpuTime } from '../cpu-time.js'
import { compiled, orderManifest, troubleOf } from '../values/compiled.js'

const findings = (text: string): readonly string[] =>
  check([{ file: 'svc.yaml', text }], { preset: 'minimal' }).diagnostics.map(({ code }) => code)

/** A schema that is nested so deep. */
const deep = (levels: number): object =>
  levels === 0 ? { type: 'string' } : { type: 'array', items: deep(levels - 1) }
const deeper = (levels: number): string =>
  orderManifest({}).replace('x-schema: {}', `x-schema: ${'{ items: '.repeat(levels)}{}${' }'.repeat(levels)}`)
const wide = (count: number): object => ({
  type: 'object',
  properties: Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, { type: 'string' }])),
})
const pattern = (source: string): object => ({ type: 'string', pattern: source })
const ref = (target: string): object => ({ $ref: target })
/** Two references at each of so many names, each to the next: written out, they would be 2 to the power of these. */
const ladder = (steps: number): object =>
  Object.fromEntries(
    Array.from({ length: steps }, (_, index) => {
      const next = index === steps - 1 ? { type: 'string' } : ref(`#/x-schemas/S${index + 1}`)
      return [
        `S${index}`,
        {
          anyOf: [
            { type: 'array', items: next },
            { type: 'array', items: next },
          ],
        },
      ]
    }),
  )

/** What `svc validate` of a folder prints, and what it took: ms of CPU, MB at most. */
async function usageOf(folder: string): Promise<{ stdout: string; user: number; megabytes: number }> {
  const told = `process.on('exit', () => { const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage(); fs.writeFileSync(${JSON.stringify(join(folder, 'usage.json'))}, JSON.stringify({ user: (userCPUTime + systemCPUTime) / 1000, megabytes: maxRSS / 1024 })) })`
  const telling = join(folder, 'usage.cjs')
  writeFileSync(telling, `const fs = require('node:fs')\n${told}\n`)
  const stdout = await new Promise<string>((done) => {
    execFile(process.execPath, ['--require', telling, resolve('bin/svc.cjs'), 'validate'], { cwd: folder }, (_, out) =>
      done(out),
    )
  })
  return {
    stdout,
    ...(JSON.parse(readFileSync(join(folder, 'usage.json'), 'utf8')) as { user: number; megabytes: number }),
  }
}

async function usageOfText(text: string) {
  const folder = mkdtempSync(join(tmpdir(), 'svc-hostile-'))
  writeFileSync(join(folder, 'svc.yaml'), text)
  const usage = await usageOf(folder)
  rmSync(folder, { recursive: true })
  return usage
}

const schemasOf = (count: number, of: (index: number) => object): object =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`S${index}`, of(index)]))
/** Each of so many names leads to the next, without a step into the value; the last one to the first. */
const circle = (count: number): object =>
  schemasOf(count, (index) => ({ anyOf: [ref(`#/x-schemas/S${(index + 1) % count}`), { type: 'null' }] }))
const chain = (count: number): object =>
  schemasOf(count, (index) => (index === count - 1 ? { type: 'string' } : ref(`#/x-schemas/S${index + 1}`)))
/** Each of so many names leads, a step into the value further, to many others. */
const net = (count: number, degree: number): object =>
  schemasOf(count, (index) => ({
    type: 'object',
    properties: Object.fromEntries(
      Array.from({ length: degree }, (_, at) => [`p${at}`, ref(`#/x-schemas/S${(index * 7 + at * 13) % count}`)]),
    ),
  }))

describe('N22: a hostile schema', () => {
  it.each<[string, () => string, string]>([
    ['is nested 50 deep', () => orderManifest(deep(50)), 'SVC2807'],
    ['is nested 5,000 deep', () => deeper(5000), 'SVC0120'],
    ['has 100,000 keywords', () => orderManifest(wide(100_000)), 'SVC2807'],
    ['hangs an engine that backtracks', () => orderManifest(pattern('^(([a-z])+.)+[A-Z]([a-z])+$')), 'SVC2806'],
    ['hangs it by choices', () => orderManifest(pattern('^(a|a|b)*$')), 'SVC2806'],
    ['hangs it by counts', () => orderManifest(pattern('^(a{0,30}){0,30}b$')), 'SVC2806'],
    ['repeats a million times', () => orderManifest(pattern('a{1000000}')), 'SVC2806'],
    ['has a pattern of 10,000 characters', () => orderManifest(pattern('a'.repeat(10_000))), 'SVC2806'],
    ['has a pattern of 160 characters that may all be missing', () => orderManifest(pattern(`(?:${'\\w?'.repeat(160)})*`)), 'SVC2806'],
    ['looks behind', () => orderManifest(pattern('(?<=a)b')), 'SVC2806'],
    ['leads elsewhere', () => orderManifest(ref('https://evil.example/schema.json')), 'SVC0130'],
    ['leads to a file', () => orderManifest(ref('file:///etc/passwd')), 'SVC0130'],
    ['leads to a prototype', () => orderManifest(ref('#/x-schemas/constructor')), 'SVC2804'],
    ['leads to itself', () => orderManifest(ref('#/x-schemas/A'), { type: 'object' }, { A: ref('#/x-schemas/B'), B: { anyOf: [ref('#/x-schemas/A')] } }), 'SVC2805'],
    ['doubles at each level', () => orderManifest(ref('#/x-schemas/S0'), { type: 'object' }, ladder(60)), 'SVC2807'],
    ['leads on 5,000 times', () => orderManifest(ref('#/x-schemas/S0'), { type: 'object' }, chain(5000)), 'SVC2807'],
    ['leads to itself over 3,000 others', () => orderManifest(ref('#/x-schemas/S0'), { type: 'object' }, circle(3000)), 'SVC2807'],
    ['leads to itself over 20 others', () => orderManifest(ref('#/x-schemas/S0'), { type: 'object' }, circle(20)), 'SVC2805'],
    ['is dynamic', () => orderManifest({ $dynamicRef: '#node' }), 'SVC2801'],
    ['has an anchor', () => orderManifest({ $anchor: 'a', type: 'string' }), 'SVC2801'],
    ['has an id', () => orderManifest({ $id: 'https://evil.example', type: 'string' }), 'SVC2801'],
    ['names a prototype', () => orderManifest({ type: 'object', properties: { constructor: { type: 'string' } } }), 'SVC0119'],
    ['compares objects each with each', () => orderManifest({ type: 'array', uniqueItems: true, items: { type: 'object' } }), 'SVC2802'],
  ])('that %s is a finding within a second', (_, hostile, code) => {
    const text = hostile()
    const start = cpuTime()
    expect(new Set(findings(text))).toContain(code)
    expect(cpuTime() - start).toBeLessThan(2000)
  }) // prettier-ignore

  it('that is one of many, nested deep and in a circle, builds without a stack as deep', async () => {
    const inner = (levels: number, end: object): object =>
      levels === 0 ? end : { type: 'object', properties: { a: inner(levels - 1, end) } }
    const shared = schemasOf(60, (index) => inner(28, ref(`#/x-schemas/S${(index + 1) % 60}`)))
    const made = await compiled(orderManifest(ref('#/x-schemas/S0'), { type: 'object' }, shared))
    const value = (levels: number, end: unknown): unknown => (levels === 0 ? end : { a: value(levels - 1, end) })
    expect(troubleOf(made, value(27, { a: {} }))).toBeUndefined()
    expect(troubleOf(made, value(29, 5))).toBe(`${'/a'.repeat(29)} must be an object`)
  }, 60_000)

  it('that leads to many others on many ways has a page that ends', () => {
    const { manifest } = check(
      [{ file: 'svc.yaml', text: orderManifest(ref('#/x-schemas/S0'), { type: 'object' }, net(60, 20)) }],
      { preset: 'minimal' },
    )
    const page = emit(manifest!, { generator: 'svc' }).files.find(({ path }) => path === 'dist/reference.md')!.text
    expect(page).toContain('More: see the JSON Schema.')
    expect(page.length).toBeLessThan(1_000_000)
  }, 60_000)

  it('that is reached on a path of thousands of others is judged without a stack as deep', () => {
    const text = orderManifest(ref('#/x-schemas/S0'), { type: 'object' }, net(300, 30))
    expect(check([{ file: 'svc.yaml', text }], { preset: 'minimal' }).diagnostics).toEqual([])
  })

  it.each([
    ['in a row', (index: number) => `"k${index}":1`, '{', '}', 1_000_000],
    ['with names in quotes', (index: number) => `"k${index}": "string"`, '{', '}', 1_000_000],
    [
      'of properties',
      (index: number) => `"k${index}":{"type":"string"}`,
      '{"type":"object","properties":{',
      '}}',
      500_000,
    ],
  ])(
    'with a million keywords %s is a finding in a second and 100 MB',
    async (_, keyword, start, end, length) => {
      const folder = mkdtempSync(join(tmpdir(), 'svc-million-'))
      const schema = `${start}${Array.from({ length }, (_, index) => keyword(index)).join(',')}${end}`
      writeFileSync(join(folder, 'svc.yaml'), orderManifest({}).replace('x-schema: {}', `x-schema: ${schema}`))
      let usage = await usageOf(folder)
      // What runs beside makes it longer, never shorter.
      for (let again = 0; again < 2 && usage.user >= 1_000; again++) usage = await usageOf(folder)
      rmSync(folder, { recursive: true })
      expect(usage.stdout).toContain('SVC0010')
      expect(usage.user).toBeLessThan(1_000)
      expect(usage.megabytes).toBeLessThan(100)
    },
    60_000,
  )

  it('takes no more for one that many refer to than for as many that nobody does', () => {
    const text = orderManifest(ref('#/x-schemas/S0'), { type: 'object' }, net(60, 300))
    const least = Math.min(
      ...[1, 2, 3].map(() => {
        const start = cpuTime()
        expect(findings(text)).toEqual([])
        return cpuTime() - start
      }),
    )
    // 0.3 s; 5 s where each reference is followed by itself.
    expect(least).toBeLessThan(2000)
  }, 60_000)

  it('that names __proto__ is none that is read', () => {
    expect(findings(orderManifest(JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}') as object))).not.toEqual([]) // prettier-ignore
  })
})

/** `count` lines of a block, each indented as a keyword of a schema is. */
const lines = (count: number, line: (index: number) => string): string =>
  `\n${Array.from({ length: count }, (_, index) => `          ${line(index)}`).join('\n')}`
const withSchema = (schema: string): string => orderManifest({}).replace('x-schema: {}', `x-schema: ${schema}`)
const INPUT =
  'inputs:\n      - name: order\n        type: any\n        description: What is ordered.\n        x-schema: '
const inBlock = (schema: string): string => orderManifest({}).replace(/inputs: \[.*\]/u, `${INPUT}${schema}`)

describe('N22: a hostile schema, as `svc validate` of its file', () => {
  let plain = 0
  beforeAll(async () => {
    plain = (await usageOfText(orderManifest({ type: 'object' }))).megabytes
  }, 60_000)

  it.each<[string, () => string, string]>([
    ['300 schemas that refer to 60 others each', () => orderManifest(ref('#/x-schemas/S0'), { type: 'object' }, net(300, 60)), ''],
    ['60 schemas that refer to 300 others each', () => orderManifest(ref('#/x-schemas/S0'), { type: 'object' }, net(60, 300)), ''],
    ['20,000 schemas in a circle', () => orderManifest(ref('#/x-schemas/S0'), { type: 'object' }, circle(20_000)), 'SVC2807'],
    ['7,000 schemas in a circle', () => orderManifest(ref('#/x-schemas/S0'), { type: 'object' }, circle(7000)), 'SVC2807'],
    ['a million keywords in a block', () => inBlock(lines(1_000_000, (index) => `k${index}: 1`)), 'SVC0010'],
    ['900,000 keywords in a block', () => inBlock(lines(900_000, (index) => `k${index}: string`)), 'SVC2807'],
    ['300,000 properties in a block', () => inBlock(`\n          properties:${lines(300_000, (index) => `  p${index}:\n              type: string`)}`), 'SVC2807'],
    ['900,000 keywords in a row', () => withSchema(`{${Array.from({ length: 900_000 }, (_, index) => `"k${index}":1`).join(',')}}`), 'SVC2807'],
    ['300,000 words to choose from', () => withSchema(`{ enum: [${Array.from({ length: 300_000 }, (_, index) => `a${index}`).join(',')}] }`), 'SVC2807'],
    ['100,000 properties', () => orderManifest(wide(100_000)), 'SVC2807'],
    ['100,000 shared schemas', () => orderManifest({}, {}, schemasOf(100_000, () => ({ type: 'string' }))), 'SVC2807'],
    ['100,000 references to files', () => orderManifest({ type: 'object', properties: schemasOf(100_000, (index) => ref(`./a${index}.yaml`)) }), 'SVC2807'],
    ['5,000 references to files', () => orderManifest({ type: 'object', properties: schemasOf(5000, (index) => ref(`./a${index}.yaml`)) }), 'SVC0127'],
  ])('%s: a finding within a second and 100 MB more than a plain manifest', async (_, hostile, code) => {
    const text = hostile()
    let usage = await usageOfText(text)
    // What runs beside makes it longer, never shorter.
    for (let again = 0; again < 2 && usage.user >= 1000; again++) usage = await usageOfText(text)
    expect(usage.stdout).toContain(code)
    expect(usage.megabytes - plain).toBeLessThan(100)
    // A second is the promise, on a quiet machine 0.2 to 0.7 s; beside other work it takes up to three times as much.
    expect(usage.user).toBeLessThan(2500)
  }, 90_000) // prettier-ignore

  it('is counted however it is written, and what is no schema is not', () => {
    const many = '{ enum: [1, 2, 3, 4, 5, 6, 7, 8, 9] }, '.repeat(20_000)
    const codes = (text: string) => findings(text).includes('SVC2807')
    expect(codes(withSchema(`{ anyOf: [${many}] }`))).toBe(true)
    expect(codes(inBlock(`\n\n          # why\n          {"}": 1, '"': 1, anyOf: [${many}] }`))).toBe(true)
    expect(codes(inBlock(`\n\n          # why\n\n          anyOf: [${many}]`))).toBe(true)
    expect(codes(inBlock(`&big { anyOf: [${many}] }`))).toBe(true)
    expect(findings(`${orderManifest({ type: 'object' })}\nx-other: [${many}]`)).toEqual([])
    expect(findings(`${orderManifest({ type: 'object', description: many })}`)).toEqual(['SVC2807'])
  })
})

describe('N22: a pattern that was taken', () => {
  it.each(['^[a-z]+\\.[a-z]+$', '\\d+\\d+\\d+x', '^(?:[a-z]+-)*[a-z]+$', '[^@]+@[^@]+\\.[^@]+$'])(
    '%s reads a text of 200,000 characters in time that grows with it',
    (source) => {
      const { test } = linearPattern(source)
      for (const unit of ['a', '1', 'a-', 'a.@']) {
        const start = cpuTime()
        test(`${unit.repeat(200_000 / unit.length)}!`)
        expect(cpuTime() - start).toBeLessThan(2000)
      }
    },
  )

  it.each([
    ['^.$', 'a', '\n'], ['^.$', '🧩', '\u2028'], ['^\\s$', '\u00a0', 'x'], ['^\\S$', 'x', '\ufeff'], ['^[\\s-]$', '\u3000', 'x'],
    ['^[^\\s]$', 'x', '\v'], ['^\\u00e9$', 'é', 'e'], ['^[\\x41-\\x43]$', 'B', 'D'], ['^a\\.b$', 'a.b', 'axb'], ['^[.]$', '.', 'a'],
    ['a$', 'ba', 'ab'], ['^a|b$', 'ac', 'ca'], ['^[[]$', '[', 'a'], ['^\\[\\]$', '[]', ''], ['^a{2,3}$', 'aaa', 'a'], ['^\\/$', '/', 'a'],
    ['^[\\S]$', 'x', ' '], ['^[a\\-z]$', '-', 'b'], ['^a{2}?$', 'aa', 'a'], ['^(?:a|bc)+?$', 'abc', 'b'],
  ])('%s takes %j and not %j, as ECMA-262 does', (source, good, bad) => {
    const ours = linearPattern(source)
    const theirs = new RegExp(source, 'u')
    expect([ours.test(good), ours.test(bad), theirs.test(good), theirs.test(bad)]).toEqual([true, false, true, false])
  }) // prettier-ignore

  const COUNTS = [
    '',
    '*',
    '+',
    '?',
    '{0}',
    '{0,0}',
    '{1}',
    '{0,1}',
    '{1,}',
    '{2,}',
    '{31}',
    '{32}',
    '{33,}',
    '{2,100}',
    '{1000}',
    '{1001}',
  ]
  const nested = COUNTS.flatMap((outer) => COUNTS.map((inner) => [outer, inner] as const))
  const table = [
    ...nested.map(([outer, inner]) => `^(?:#a${inner};)${outer}$`),
    ...nested.map(([outer, inner]) => `^(?:(?:#a{5};)${inner}!)${outer}$`),
    ...nested.map(([outer, inner]) => `^(?:x|#(a${inner});)${outer}?$`),
    '#\\w{1,139}(?: #\\w{1,139}){9}', '(?:[a-z]{2,60}/){1,20}', '^(?:(?:(?:a;){10}!){10},){10}$', '^(?:(?:(?:a;){10}!){10},){11}$',
  ] // prettier-ignore
  it.each(['#\\w{1,139}(?: #\\w{1,139}){9}', '(?:[a-z]{2,60}/){1,20}', '^(?:(?:(?:a;){10}!){10},){11}$'])(
    '%s is refused, as the engine does at the start',
    (source) => {
      expect(() => linearPattern(source)).toThrow('invalid repeat count')
      expect(patternTrouble(source)).toContain('counts inside each other multiplied')
    },
  )

  it('is one that the engine compiles, and the other way round, for every nesting of counts', () => {
    const compiles = (source: string) => {
      try {
        return linearPattern(source) !== undefined
      } catch {
        return false
      }
    }
    const differ = table.filter((source) => 'pattern' in readPattern(source) !== compiles(source))
    expect(differ).toEqual([])
    expect(table.filter(compiles).length).toBeGreaterThan(300)
  })
})
