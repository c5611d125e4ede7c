import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { orderManifest } from './values/compiled.js'
import { SCHEMA_NAMES, SCHEMAS } from '../src/cli/schema/table.js'
import { check } from '../src/compiler/check.js'
import { emit } from '../src/compiler/emit.js'
import { openapi } from '../src/compiler/targets/documents/openapi.js'
import { TARGETS } from '../src/compiler/targets/index.js'
import type { Target } from '../src/compiler/targets/target.js'
import { FAILURES } from '../src/protocol/failures.js'
import { ENDPOINTS, type EndpointRow } from '../src/protocol/endpoints.js'
import { CHECKS } from '../src/runtime/call/checks/index.js'

/**
 * What `docs/architecture.md` promises of each table: a row without its file, its case or its page fails.
 * Rules and the codes of other stages are counted by `rules/rules.test.ts`, the provocation of each failure by `runtime/failures.test.ts`.
 */

const filesUnder = (folder: string, end: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith(end))
    .map((file) => join(folder, file))
const textOf = (file: string): string => readFileSync(file, 'utf8')
const textsUnder = (folder: string): string => filesUnder(folder, '.test.ts').map(textOf).join('\n')
/** `scope-covers.ts` exports `scopeCovers`. */
const camelCase = (name: string): string => name.replaceAll(/-(\w)/gu, (_, letter: string) => letter.toUpperCase())

const { manifest } = check([{ file: 'svc.yaml', text: textOf('examples/travel/svc.yaml') }])
/** What has structured values has a file more. */
const { manifest: structured } = check([
  {
    file: 'svc.yaml',
    text: orderManifest({ $ref: '#/x-schemas/Line' }, { type: 'object' }, { Line: { type: 'object' } }),
  },
])
const filesOf = (target: Target, of = manifest!) => emit(of, { generator: 'svc 0.1.0', targets: [target] }).files

describe('a failure type', () => {
  const page = textOf('docs/reference/failures.md')
  it.each(Object.keys(FAILURES))('%s is in the reference', (type) => {
    expect(page).toContain(`\`${type}\``)
  })
})

describe('an endpoint', () => {
  const page = textOf('docs/reference/endpoints.md')
  const described = JSON.parse(filesOf(openapi)[0]!.text) as {
    readonly paths: { readonly [path: string]: { readonly [method: string]: object } }
  }
  const cases = filesUnder('test/runtime', '.ts').map(textOf).join('\n')
  const stdio = filesUnder('test/runtime/surfaces', '.test.ts').map(textOf).join('\n')

  it.each(Object.entries<EndpointRow>(ENDPOINTS))(
    '%s is in OpenAPI and the reference, and a test calls it',
    (name, row) => {
      const { method, path, rpc } = row
      expect(page).toContain(path)
      const documented = Object.entries(described.paths).filter(([, methods]) => method.toLowerCase() in methods)
      expect(
        documented.some(([each]) => matches(path).test(each)),
        `OpenAPI lacks ${name}`,
      ).toBe(true)
      expect(cases).toMatch(calls(path))
      if (rpc !== undefined) expect(stdio).toContain(`'${rpc}'`)
    },
  )

  /** A path in OpenAPI, in which the capability of an invocation is written out. */
  const matches = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u')
  /** A path as tests write it: segments are given, or put in by a template. */
  const calls = (path: string): RegExp =>
    new RegExp(
      `['"\`]${path.replaceAll('.', '\\.').replaceAll(/\{\w+\}/gu, '(?:\\$\\{[^}]+\\}|[^/\'"`$]+)')}(?:['"\`?]|\\$\\{)`,
      'u',
    )
})

describe('a check', () => {
  const folder = 'src/runtime/call/checks'
  const NO_CHECK = ['check.ts', 'index.ts', 'deciding-facts.ts']
  const names = readdirSync(folder)
    .filter((file) => !NO_CHECK.includes(file))
    .map((file) => camelCase(basename(file, '.ts')))
  const cases = textOf('test/runtime/checks.test.ts')

  it('has a file of its name, and each file is listed', () => {
    expect(CHECKS.map(({ check }) => check.name).toSorted()).toEqual(names.toSorted())
  })

  it.each(names)('%s has a table of cases', (name) => {
    expect(cases).toMatch(new RegExp(`\\b${name}\\(`, 'u'))
  })
})

describe('a storage back end', () => {
  const engines = readdirSync('src/runtime/storage').filter((name) =>
    existsSync(join('src/runtime/storage', name, 'engine.ts')),
  )
  const contracts = filesUnder('test/runtime/storage', '.test.ts')
    .map(textOf)
    .filter((text) => text.includes('describeStorage('))

  it.each(engines)('%s runs the contract', (name) => {
    expect(
      contracts.filter((text) => text.includes(`storage/${name}/`) || text.includes(`./${name}-harness.js`)),
    ).not.toEqual([])
  })
})

describe('a target', () => {
  const index = textOf('src/compiler/targets/index.ts')
  const imported = [...index.matchAll(/^import \{ (\w+) \}/gmu)].map((match) => match[1])
  const cases = textsUnder('test')

  it('has a line in the list', () => {
    expect(TARGETS.length).toBe(imported.length)
  })

  it.each(TARGETS.map((target, index) => [imported[index]!, target] as const))(
    '%s writes what a golden file or a test holds',
    (_, target) => {
      const own = filesOf(target)
      const files = own.length > 0 ? own : filesOf(target, structured!)
      expect(files).not.toEqual([])
      const untested = files.filter(
        ({ path }) => !existsSync(join('examples/travel', path)) && !cases.includes(`'${path}'`),
      )
      expect(untested.map(({ path }) => path)).toEqual([])
    },
  )
})

describe('an output as data', () => {
  const guide = textOf('docs/guides/data.md')
  const cases = textsUnder('test/cli')

  it.each(SCHEMA_NAMES)('%s has a published schema, a row in the guide and a case', (name) => {
    expect(existsSync(`schemas/${name}.schema.json`)).toBe(true)
    if (name === 'manifest' || name === 'fragment') return expect(guide).toContain(`svc schema ${name}`)
    for (const command of SCHEMAS[name].of.split(', ')) expect(guide).toContain(`\`${command}\``)
    expect(cases).toMatch(new RegExp(`(?:data|migrate|schemaOf|conformance|answer|lines)\\('${name}'`, 'u'))
  })
})

describe('a page that counts', () => {
  const { dependencies } = JSON.parse(textOf('package.json')) as {
    readonly [kind: string]: { readonly [name: string]: string }
  }

  it('SECURITY.md counts and names the packages that are installed', () => {
    const [, count, named = ''] = /The package depends on (\w+) packages \((.*?)\)/su.exec(textOf('SECURITY.md')) ?? []
    const names = Object.keys(dependencies!)
    expect(['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight'][names.length - 1]).toBe(count)
    expect(names.filter((name) => !named.includes(name))).toEqual([])
  })

  it('docs/architecture.md names each room, and each package that the sources import', () => {
    const page = textOf('docs/architecture.md')
    const sources = filesUnder('src', '.ts').map(textOf).join('\n')
    const packages = [...sources.matchAll(/(?:from |import\()'((?:@[\w-]+\/)?[a-z][\w-]*)[^':]*'/gu)].map(
      (match) => match[1]!,
    )
    expect([...new Set(packages)].filter((name) => !page.includes(name))).toEqual([])
    expect(readdirSync('src').filter((room) => !page.includes(`| ${room} `))).toEqual([])
  })

  /** Folders and files of a service. */
  const ELSEWHERE = ['generated/', 'dist/', 'src/handlers/index.ts']

  it('every file that it names is there', () => {
    const named = [...textOf('docs/architecture.md').matchAll(/`([a-z]+\/[\w/.-]+\.ts|[a-z]+\/)`/gu)].map(
      (match) => match[1]!,
    )
    const places = ['src', 'src/compiler', 'src/runtime', 'src/cli', 'src/console', '.']
    expect(
      named.filter((name) => !ELSEWHERE.includes(name) && !places.some((place) => existsSync(join(place, name)))),
    ).toEqual([])
  })

  it.each(['runtime/create-service.ts', 'client/connect.ts', 'compiler/check.ts', 'compiler/emit.ts'])(
    'the public entry point in %s has an example',
    (file) => {
      expect(textOf(join('src', file))).toContain(' * @example\n')
    },
  )
})
