import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseEnv } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { parse } from 'yaml'
import { CliError } from '../../src/cli/shared/errors/cli-error.js'
import { commentLine, settingLine } from '../../src/cli/shared/formats/environment.js'
import { writerOfFile } from '../../src/cli/shared/formats/of-file.js'
import { importOpenApi } from '../../src/cli/import/openapi.js'
import { init } from '../../src/cli/init/run.js'
import { printError, printOut } from '../../src/cli/shared/output/print.js'
import { printableLines } from '../../src/cli/shared/output/printable.js'
import { reportError } from '../../src/cli/shared/output/report-error.js'
import { check } from '../../src/compiler/check.js'
import { emit } from '../../src/compiler/emit.js'
import { toolFragment, toolSources } from '../../src/compiler/mcp-tools/print-tools.js'
import { toolCapabilities } from '../../src/compiler/mcp-tools/tool-capability.js'
import { githubReport } from '../../src/compiler/report/github.js'
import { junitReport } from '../../src/compiler/report/junit.js'
import { textReport } from '../../src/compiler/report/text.js'
import { csvLine } from '../../src/console/api/trail-csv.js'
import { HOSTILE, hostile, problemsOf } from './author.js'

type Path = readonly (string | number)[]

/** The places of all texts of a document. */
const textsIn = (value: unknown, path: Path = []): readonly Path[] =>
  typeof value === 'string'
    ? [path]
    : typeof value === 'object' && value !== null
      ? Object.entries(value).flatMap(([key, each]) =>
          textsIn(each, [...path, Array.isArray(value) ? Number(key) : key]),
        )
      : []

function withText(value: unknown, [key, ...rest]: Path, text: string): unknown {
  if (key === undefined) return hostile(String(value), text)
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as { [key: string | number]: unknown }
  copy[key] = withText(copy[key], rest, text)
  return copy
}

/** One case for each kind of place: places that differ by a number, or by the name of a capability, are one kind. */
function cases(document: unknown): readonly (readonly [string, Path])[] {
  const kindOf = (path: Path): string => path.map((key, at) => (typeof key === 'number' || path[at - 1] === 'capabilities' ? '*' : key)).join('/') // prettier-ignore
  return [...new Map(textsIn(document).map((path) => [kindOf(path), path] as const))]
}

let folder: string
let printed: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-texts-'))
  printed = ''
  const keep = (text: string | Uint8Array): boolean => ((printed += String(text)), true)
  vi.spyOn(process.stdout, 'write').mockImplementation(keep)
  vi.spyOn(process.stderr, 'write').mockImplementation(keep)
})
afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

/** What a command wrote: its files and its messages; what it threw is printed as the command line does. */
async function writtenBy(into: string, run: () => Promise<number>): Promise<readonly string[]> {
  printed = ''
  await run().catch((error: unknown) => {
    if (!(error instanceof CliError)) throw error
    return reportError(error)
  })
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.startsWith(into) && !path.includes('keys/') && statSync(join(folder, path)).isFile(),
  )
  return [
    ...problemsOf('the terminal', printed),
    ...paths.flatMap((path) =>
      problemsOf(path.replace(/^.*\/(?=\.env$)/u, ''), readFileSync(join(folder, path), 'utf8')),
    ),
  ]
}

const DESCRIPTION = {
  openapi: '3.0.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://{host}/v1', variables: { host: { default: 'api.shop.example' } } }],
  components: { securitySchemes: { key: { type: 'apiKey', in: 'header', name: 'X-Key' } } },
  paths: {
    '/orders/{id}': {
      post: {
        operationId: 'order',
        tags: ['orders'],
        summary: 'Orders a thing',
        description: 'Orders a thing of the shop.',
        parameters: [
          { name: 'id', in: 'path', required: true, description: 'Which order.', schema: { type: 'string' } },
          { name: 'size', in: 'query', schema: { type: 'string', enum: ['s', 'm'], default: 's' } },
        ],
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { note: { type: 'string', pattern: '^a', title: 'Note' } } },
            },
          },
        },
        responses: {
          200: {
            description: 'Done.',
            content: {
              'application/json': {
                schema: { type: 'object', properties: { total: { type: 'number', description: 'In euros.' } } },
              },
            },
          },
        },
      },
    },
  },
}

const importsOf = (document: unknown, options: object = {}) => {
  writeFileSync(join(folder, 'api.json'), JSON.stringify(document))
  rmSync(join(folder, 'made'), { recursive: true, force: true })
  return writtenBy('made/', () =>
    importOpenApi(join(folder, 'api.json'), {
      operation: ['POST /orders/{id}'],
      tag: [],
      all: false,
      rename: [],
      list: false,
      into: join(folder, 'made'),
      ...options,
    }),
  )
}

describe('N27 a text of an OpenAPI document', () => {
  it.each(cases(DESCRIPTION))('%s is no more than a text in files and messages', async (_, path) => {
    for (const text of HOSTILE) {
      const document = withText(DESCRIPTION, path, text)
      expect([text, await importsOf(document)]).toEqual([text, []])
    }
  })

  it.each(['operation', 'tag', 'name', 'server'])('nor is the option --%s', async (option) => {
    for (const text of HOSTILE)
      for (const start of ['orders', 'https://a.example/'])
        expect([
          text,
          await importsOf(DESCRIPTION, {
            [option]: ['operation', 'tag'].includes(option) ? [hostile(start, text)] : hostile(start, text),
          }),
        ]).toEqual([text, []])
  })

  it('nor is one that is listed, or named in an error', async () => {
    for (const text of HOSTILE) {
      const document = textsIn(DESCRIPTION)
        .filter((path) => path.includes('tags') || path.includes('summary') || path.includes('operationId'))
        .reduce((all: unknown, path) => withText(all, path, text), DESCRIPTION)
      expect([text, await importsOf(document, { list: true })]).toEqual([text, []])
      expect([text, await importsOf(document, { operation: [], tag: ['none'] })]).toEqual([text, []])
    }
  })

  it('is an address only as it was parsed: a line end is refused, and what is used is what was judged', async () => {
    const at = (url: string) => ({ ...DESCRIPTION, servers: [{ url }] })
    expect(await importsOf(at('https://api.example.org/v1\nSVC_PUBLIC_URL=https://evil.example\n#'))).toEqual([])
    expect(readdirSync(folder)).toEqual(['api.json'])
    expect(printed).toContain(String.raw`The address "https://api.example.org/v1\nSVC_PUBLIC_URL`)
    await importsOf(at('HTTPS://API.example.org/a/../$(id)`x`'))
    expect(readFileSync(join(folder, 'made/.env'), 'utf8')).toContain(
      '# The credential of https://api.example.org/$(id)%60x%60: it goes there and nowhere else.\n',
    )
  })
})

const TOOL = {
  name: 'write_note',
  title: 'Write a note',
  description: 'Writes a note into a file of the user.',
  readOnly: false,
  inputSchema: {
    type: 'object',
    properties: { path: { type: 'string', description: 'Where.' }, kind: { type: 'string', enum: ['a', 'b'] } },
  },
  outputSchema: { type: 'object', properties: { size: { type: 'integer', description: 'Bytes.' } } },
}

describe('N27 a text of an MCP server', () => {
  it.each(cases(TOOL))('%s is no more than a text in files', (_, path) => {
    for (const text of HOSTILE) {
      const tool = withText(TOOL, path, text) as typeof TOOL
      const capabilities = toolCapabilities('notes', [{ tool, effect: 'write' }])
      const pinned = JSON.stringify({ name: 'notes', tools: { [tool.name]: 'sha256' } }, undefined, 2)
      const files = [
        { path: 'notes.yaml', text: toolFragment('notes', capabilities, undefined) },
        ...toolSources('notes', pinned, capabilities.tools),
      ]
      expect([text, files.flatMap((file) => problemsOf(file.path, file.text))]).toEqual([text, []])
    }
  })
})

const MANIFEST = parse(
  readFileSync('templates/travel/svc.yaml.tmpl', 'utf8')
    .replaceAll('{{name}}', 'travel')
    .replaceAll('{{title}}', 'Travel'),
) as object

describe('N27 a text of a manifest', () => {
  it.each(cases(MANIFEST))('%s is no more than a text in generated files and in reports', (_, path) => {
    for (const text of HOSTILE) {
      const sources = [{ file: 'svc.yaml', text: JSON.stringify(withText(MANIFEST, path, text)) }]
      const { manifest, diagnostics } = check(sources)
      const run = { sources, diagnostics }
      const files = manifest === undefined ? [] : emit(manifest, { generator: 'svc' }).files
      const reports = [
        { path: 'text', text: textReport(run, { color: false, summaryOnly: false }) },
        { path: 'github', text: printableLines(githubReport(run)) },
        { path: 'junit', text: printableLines(junitReport(run)) },
      ]
      expect([text, [...files, ...reports].flatMap((file) => problemsOf(file.path, file.text))]).toEqual([text, []])
    }
  })
})

describe('N27 an answer or an option of svc init', () => {
  it.each(['name', 'template', 'storage', 'signIn', 'deploy', 'svcKit'])(
    '%s is no more than a text',
    async (option) => {
      for (const text of HOSTILE) {
        rmSync(join(folder, 'made'), { recursive: true, force: true })
        const options = {
          yes: true,
          tests: true,
          mcp: true,
          deploy: 'docker,kubernetes,systemd',
          [option]: hostile('a', text),
        }
        expect([text, await writtenBy('made/', () => init(join(folder, 'made'), options))]).toEqual([text, []])
      }
    },
  )

  it('nor is the name of the folder', async () => {
    for (const text of HOSTILE.filter((each) => each !== '\0' && !each.includes('/'))) {
      const name = hostile('made', text)
      mkdirSync(join(folder, name))
      expect([text, await writtenBy(`${name}/`, () => init(join(folder, name), { yes: true }))]).toEqual([text, []])
    }
  })
})

const unescaped = (text: string): string => JSON.parse(`"${text.replaceAll(/&#x(?<code>[0-9a-f]+);/gu, (_, code: string) => unitOf(code))}"`) as string // prettier-ignore
const unitOf = (code: string): string => `\\u${code.padStart(4, '0')}`

describe('N27 a value that a template prints', () => {
  it.each(['a.json', 'a.ts', 'a.mjs', 'a.py', 'a.html'])('is exactly the text in %s, on its line, and ends nothing', (file) => {
    for (const text of HOSTILE) {
      const value = hostile('a', text)
      const written = writerOfFile(file)(value)
      expect([text, unescaped(written)]).toEqual([text, value])
      expect([text, /["'*\p{Cc}\p{Cf}\u2028\u2029]/u.test(written)]).toEqual([text, false])
      if (file !== 'a.json') expect([text, /[`$<]/u.test(written)]).toEqual([text, false])
    }
  }) // prettier-ignore

  const others = ['.env', '.env.example', 'a.sh', 'Dockerfile', 'a.service', 'a.yaml', 'a.yml', 'README.md', 'a.csv', 'LICENSE'] // prettier-ignore
  it.each(others)('is refused by %s when it is more than words', (file) => {
    for (const text of [...HOSTILE, '=', '%n', ': ', ', ', '&', '*', '!', '|', '<b>', '\\', '~'])
      expect(() => writerOfFile(file)(hostile('a', text))).toThrow(`${file} cannot hold "a`)
    for (const start of ['-', '=', '+', '@', '#', ' '].filter((each) => !(each === '+' || each === '@') || /csv|md|LIC/u.test(file)))
      expect(() => writerOfFile(file)(`${start}a`)).toThrow(`${file} cannot hold`)
    expect(['shop', 'file:../a_b.tgz', '1.2.3', ''].map(writerOfFile(file))).toEqual(['shop', 'file:../a_b.tgz', '1.2.3', ''])
  }) // prettier-ignore
})

describe('N27 what is printed', () => {
  it.each(HOSTILE)('%j steers no terminal, whichever way it goes there', (text) => {
    printOut(`${hostile('a ', text).replaceAll('\n', '')}\n`)
    printError(`${hostile('a ', text).replaceAll('\n', '')}\n`)
    reportError(new CliError(hostile('There is no tool ', text).replace('\n', ' ')))
    expect(problemsOf('the terminal', printed)).toEqual([])
  })

  it.each(HOSTILE)('%j begins no message of its own', (text) => {
    reportError(new CliError(`There is no tool a${text}svc: Done.`))
    expect(printed.split('\n').filter((line) => line.startsWith('svc: '))).toHaveLength(1)
  })
})

describe('N27 a line of .env', () => {
  it.each(HOSTILE)('is held, or refused with %j', (text) => {
    const written = [() => commentLine(hostile('a', text)), () => settingLine('A', hostile('a', text))].map((write) => {
      try {
        return write()
      } catch (error) {
        expect(error).toBeInstanceOf(CliError)
        return ''
      }
    })
    expect(written.join('').split('\n').length).toBeLessThanOrEqual(3)
    const [, setting = ''] = written
    if (setting !== '') expect(parseEnv(setting)).toEqual({ A: hostile('a', text) })
  })
})

describe('N27 a cell of the trail as CSV', () => {
  it.each(['=1+1', '＝1+1', '\u200B=1', '\t=1', '\0@x', '|x', '%x', '＠x', '－1'])('%j is no formula', (detail) => {
    const entry = { sequence: 1, detail, parameters: {} } as unknown as Parameters<typeof csvLine>[0]
    expect(csvLine(entry)).toContain(`"'${detail}"`)
  })
})
