import { readdirSync, readFileSync, statSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { dirname, join, normalize, relative } from 'node:path'
import { describe, expect, it } from 'vitest'

/** Room -> rooms it may import. `types` marks rooms of which it may import types only. */
const WALLS: { readonly [room: string]: { readonly code: readonly string[]; readonly types: readonly string[] } } = {
  protocol: { code: [], types: [] },
  client: { code: [], types: ['protocol'] },
  adapters: { code: ['protocol'], types: ['client'] },
  crypto: { code: ['protocol'], types: [] },
  compiler: { code: ['protocol', 'crypto'], types: [] },
  runtime: { code: ['protocol', 'crypto'], types: ['client'] },
  conformance: { code: ['protocol', 'crypto'], types: ['client'] },
  console: { code: ['protocol', 'crypto', 'runtime'], types: [] },
  cli: { code: ['protocol', 'crypto', 'compiler', 'runtime', 'client', 'conformance'], types: [] },
}

/** Package -> the only place that may import it. */
const HOMES: { readonly [name: string]: readonly string[] } = {
  jose: ['crypto/'],
  yaml: ['compiler/'],
  handlebars: ['cli/init/templates/'],
  'js-yaml': ['compiler/'],
  'jsonc-parser': ['compiler/openapi/'],
  'lossless-json': ['runtime/upstream/'],
  'ts-morph': ['cli/bundle/user-code.ts', 'cli/bundle/type-declarations.ts'],
  'fastest-levenshtein': ['compiler/', 'cli/'],
  'vscode-languageserver': ['cli/lsp/'],
  'vscode-languageserver-protocol': ['cli/lsp/'],
  'vscode-languageserver-textdocument': ['cli/lsp/'],
  libsql: ['runtime/storage/sqlite/'],
  pg: ['runtime/storage/postgres/'],
  pino: ['runtime/telemetry/'],
  '@opentelemetry/api': ['runtime/telemetry/opentelemetry.ts'],
  ajv: ['compiler/print/standalone.ts'],
  re2js: ['runtime/patterns.ts'],
  '@modelcontextprotocol/client': ['runtime/upstream/mcp/'],
  '@modelcontextprotocol/server': ['runtime/surfaces/mcp/'],
  nodemailer: ['runtime/events/targets/email.ts'],
  'openid-client': [
    'console/provider.ts',
    'runtime/connections/',
    'cli/service/logins/',
    'cli/login/',
    'runtime/upstream/client-tokens.ts',
  ],
  preact: ['console/app/'],
  htm: ['console/app/markup.ts'],
  ai: ['adapters/ai-sdk.ts', 'adapters/ai-sdk-messages.ts'],
  '@openai/agents': ['adapters/openai-agents.ts'],
  '@langchain/core': ['adapters/langchain.ts'],
  '@langchain/langgraph': ['adapters/langchain.ts'],
  commander: ['cli/'],
  '@clack/prompts': ['cli/'],
  tinyglobby: ['cli/'],
  chokidar: ['cli/'],
  rolldown: ['cli/'],
}

/** Rooms that run where Node's modules are not: browsers, workers, other runtimes. */
const WITHOUT_NODE = ['protocol/', 'client/', 'adapters/', 'compiler/', 'console/app/']

/** The folders of a room, and its files beside them, lowest first: each imports only those before it. */
const ORDER: { readonly [room: string]: readonly string[] } = {
  runtime: [
    'limits.ts definition.ts patterns.ts net json storage',
    'errors rates rows request telemetry keys credentials events checkpoints audit',
    'service.ts auth endpoint approvals connections call operate lifecycle create-service.ts',
    'endpoints http rpc surfaces upstream index.ts node.ts mount.ts testing',
  ],
  console: [
    'assets.ts entry-outcome.ts headers.ts options.ts provider.ts',
    'setting.ts site.ts session visit.ts body.ts',
    'api sign-in routes.ts answer.ts app index.ts',
  ],
  cli: [
    'shared config validate service bundle publishing build',
    'verify keys migrate audit apikeys login connections operate token approvals explain',
    'agent-guide call completion conformance dev diff events fmt init import doctor invocations lsp mcp permissions',
    'rules schema sign signer test program.ts commands.ts main.ts operator-file.ts',
  ],
}

/** The stages of a check: each imports only those before it. */
const STAGES = ['parse/', 'shape/', 'rules/', 'judge/', 'explain/', 'check.ts']
/** What all stages may import of the compiler. */
const BELOW_STAGES = ['compiler/diagnostics.js', 'compiler/finding.js', 'compiler/nearest.js', 'compiler/names.js']

const EXPORTED = /^export (?:declare )?(?:async )?(?:const|function\*?|class|type|interface) (\w+)/gmu
/** One meaning in two files: the client imports no code, and each adapter has one entry of one name. */
const SAID_TWICE = ['DELEGATION_TYPE', 'serviceTools']

/** Parsers of addresses: the one for addresses that are kept, and of requests, references and what is compared only. */
const ADDRESSES = [
  'cli/login/browser.ts',
  'cli/lsp/requests/links.ts',
  'cli/mcp/service-address.ts',
  'cli/service/connection.ts',
  'client/base-url.ts',
  'compiler/openapi/targets.ts',
  'protocol/address.ts',
  'runtime/credentials/oidc/provider.ts',
  'runtime/http/listener.ts',

  'runtime/http/origin.ts',
  'runtime/lifecycle/start-up.ts',
  'runtime/net/loopback.ts',
  'runtime/upstream/mcp/relay.ts',
]

interface Import {
  readonly file: string
  readonly target: string
  readonly typeOnly: boolean
}

const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
  .map((file) => file.replaceAll('\\', '/'))
  .filter((file) => file.endsWith('.ts') && statSync(join('src', file)).isFile())
  .sort()

const IMPORT =
  /(?:^|\n)\s*(?:import|export)\s+(type\s+)?(?:[\w*{][^;'"]*?\sfrom\s+)?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gu

const imports: readonly Import[] = files.flatMap((file) =>
  [...readFileSync(join('src', file), 'utf8').matchAll(IMPORT)].map((match) => ({
    file,
    target: match[2] ?? match[3] ?? '',
    typeOnly: match[1] !== undefined,
  })),
)

const roomOf = (file: string): string => file.split('/')[0] ?? ''
const isRelative = (target: string): boolean => target.startsWith('.')
const resolved = ({ file, target }: Import): string => relative('src', normalize(join('src', dirname(file), target)))
const packageOf = (target: string): string =>
  target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/')
const placesIn = (room: string): readonly string[] => (ORDER[room] ?? []).flatMap((line) => line.split(' '))
const isBuiltin = (target: string): boolean => target.startsWith('node:') || builtinModules.includes(target)

/** Groups of files that import each other, in code or in types, however long the way round. */
function circles(): readonly (readonly string[])[] {
  const importsOf = new Map(files.map((file) => [file, new Set<string>()]))
  for (const each of imports)
    if (isRelative(each.target)) importsOf.get(each.file)!.add(resolved(each).replace(/\.js$/u, '.ts'))
  const reachedFrom = (start: string): ReadonlySet<string> => {
    const reached = new Set<string>()
    const open = [...importsOf.get(start)!]
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (reached.has(file)) continue
      reached.add(file)
      open.push(...(importsOf.get(file) ?? []))
    }
    return reached
  }
  const reached = new Map(files.map((file) => [file, reachedFrom(file)]))
  const inCircle = files.filter((file) => reached.get(file)!.has(file))
  const circleOf = (file: string) =>
    inCircle.filter((other) => reached.get(file)!.has(other) && reached.get(other)!.has(file))
  return inCircle.map(circleOf).filter(([first], index) => first === inCircle[index])
}

describe('the house', () => {
  it('has only the rooms of the floor plan', () => {
    expect([...new Set(files.map(roomOf))].sort()).toEqual(Object.keys(WALLS).sort())
  })

  it('keeps its walls: imports go down', () => {
    const breaches = imports.filter((each) => {
      if (!isRelative(each.target)) return false
      const from = roomOf(each.file)
      const to = roomOf(resolved(each))
      const wall = WALLS[from]
      return from !== to && !wall?.code.includes(to) && !(each.typeOnly && wall?.types.includes(to))
    })
    expect(breaches).toEqual([])
  })

  it('writes to the standard streams of a command in one place, which escapes what would steer a terminal', () => {
    const writers = files.filter(
      (file) =>
        file.startsWith('cli/') &&
        /process\.std(?:out|err)\.write\(|(?<!\.)console\.(?:log|error)\(/u.test(
          readFileSync(join('src', file), 'utf8').replaceAll(/'[^'\n]*'/gu, ''),
        ),
    )
    expect(writers).toEqual([
      'cli/shared/output/output-errors.ts',
      'cli/shared/output/print.ts',
      'cli/validate/tell.ts',
      'cli/validate/watch.ts',
    ])
  })

  it('parses an address where it is judged, and refuses one that a parser would change silently', () => {
    const parsers = files.filter((file) => readFileSync(join('src', file), 'utf8').includes('URL.canParse('))
    expect(parsers).toEqual(ADDRESSES)
  })

  it('has no circle of files, of types neither', () => {
    expect(circles()).toEqual([])
  })

  it('keeps the order of the folders of a room: imports go to those before, types too', () => {
    const upward = imports.filter((each) => {
      const [room, ...from] = each.file.split('/')
      const [target, ...to] = isRelative(each.target) ? resolved(each).replace(/\.js$/u, '.ts').split('/') : []
      const order = placesIn(room!)
      return target === room && order.indexOf(to[0]!) > order.indexOf(from[0]!)
    })
    expect(upward).toEqual([])
  })

  it.each(Object.keys(ORDER))('has a place in the order for each folder of %s', (room) => {
    const parts = files.filter((file) => roomOf(file) === room).map((file) => file.split('/')[1])
    expect([...new Set(parts)].sort()).toEqual([...placesIn(room)].sort())
  })

  it('checks in stages that only go forward, types too', () => {
    const stageOf = (file: string): number => STAGES.findIndex((stage) => file.startsWith(`compiler/${stage}`))
    const back = imports.filter((each) => {
      const from = stageOf(each.file)
      return from !== -1 && isRelative(each.target) && stageOf(resolved(each)) > from
    })
    expect(back).toEqual([])
    const astray = imports.filter((each) => {
      const to = isRelative(each.target) && each.file.startsWith('compiler/') ? resolved(each) : ''
      return stageOf(each.file) !== -1 && to.startsWith('compiler/') && stageOf(to) === -1
    })
    expect(astray.filter((each) => !BELOW_STAGES.includes(resolved(each)))).toEqual([])
  })

  it('matches no code and no message of a finding by a pattern', () => {
    const matched = files.filter(
      (file) =>
        file.startsWith('compiler/') &&
        /\/\^?\(?(?:\?:)?SVC[\d(]|(?:code|message)\.(?:match|replace|search|startsWith|endsWith)\(|\.test\((?:each\.)?(?:code|message)\)/u.test(
          readFileSync(join('src', file), 'utf8'),
        ),
    )
    expect(matched).toEqual([])
  })

  it('gives every package one home', () => {
    const strays = imports.filter(({ file, target }) => {
      if (isRelative(target) || isBuiltin(target)) return false
      const homes = HOMES[packageOf(target)]
      return homes === undefined || !homes.some((home) => file.startsWith(home))
    })
    expect(strays).toEqual([])
  })

  it('runs protocol, client and compiler without Node', () => {
    expect(
      imports.filter(({ file, target }) => isBuiltin(target) && WITHOUT_NODE.some((room) => file.startsWith(room))),
    ).toEqual([])
  })

  it('reads the environment in the command line only, and hands it on in the start of a main.ts', () => {
    const readers = files.filter(
      (file) =>
        !file.startsWith('cli/') &&
        file !== WRITES_THE_ENVIRONMENT &&
        /process\.env/u.test(readFileSync(join('src', file), 'utf8')),
    )
    expect(readers).toEqual(['runtime/node.ts'])
  })

  it('hears each error of what may fail twice: a second one that nobody hears ends the process', () => {
    const deaf = files.filter((file) => /\.once\(\s*'error'/u.test(readFileSync(join('src', file), 'utf8')))
    expect(deaf).toEqual([])
  })

  it('hears each error of a connection on which it asks another server', () => {
    const asking = files.filter((file) =>
      /import \{[^}]*\brequest\b[^}]*\} from 'node:https?'/u.test(readFileSync(join('src', file), 'utf8')),
    )
    const hearing = (file: string) => /\bonUnanswered\(/u.test(readFileSync(join('src', file), 'utf8'))
    const routes = ['runtime/keys/remote/address.ts']
    expect(asking.filter((file) => !hearing(file))).toEqual(routes)
    expect(hearing('runtime/keys/remote/ask.ts')).toBe(true)
  })

  it('writes a value into a command, for a person to paste, as a word of a shell (threat N27)', () => {
    /** Words of the program's own tables. */
    const closed = /^(?:role|key\.role|defaultDatabaseOf\(answers\)|scopes)$/u
    const written = files.flatMap((file) =>
      Array.from(
        readFileSync(join('src', file), 'utf8').matchAll(
          /(?:\bsvc [^`'\n]*--[a-z-]+|chmod \d+) \$\{((?:[^{}]|\{[^{}]*\})*)\}/gu,
        ),
        ([, value = '']) => [file, value] as const,
      ),
    )
    expect(written.length).toBeGreaterThan(15)
    expect(written.filter(([, value]) => !/^shell(?:Word|Path)\(/u.test(value) && !closed.test(value))).toEqual([])
  })

  it('makes no code at run time, but of templates that users give, and starts no process', () => {
    const makers = (pattern: RegExp) => files.filter((file) => pattern.test(readFileSync(join('src', file), 'utf8')))
    expect(makers(/\beval\(|new Function\(|node:vm/u)).toEqual(['cli/init/templates/users-templates.ts'])
    expect(makers(/node:child_process/u).filter((file) => !file.startsWith('cli/'))).toEqual([
      'runtime/upstream/mcp/process.ts',
    ])
  })

  it('takes time and randomness at its edges only', () => {
    const takers = files.filter((file) =>
      /\bDate\.now\(|Math\.random\(|new Date\(\)/u.test(readFileSync(join('src', file), 'utf8')),
    )
    expect(takers.filter((file) => !CLOCKS.some((edge) => file.startsWith(edge)))).toEqual([])
  })

  it('has no file over 300 lines', () => {
    const long = files.map((file) => [file, readFileSync(join('src', file), 'utf8').split('\n').length] as const)
    expect(long.filter(([, lines]) => lines > 300)).toEqual([])
  })

  it('has no line over 140 characters outside of tables, but for markup, patterns and texts that were there', () => {
    const outside = files
      .map((file) => readFileSync(join('src', file), 'utf8'))
      .filter((text) => !text.includes('prettier-ignore'))
    const long = outside.flatMap((text) => text.split('\n').filter((line) => line.length > 140))
    // Only lower this.
    expect(long.length).toBeLessThanOrEqual(90)
  })

  it('gives one meaning to each exported name', () => {
    const places = new Map<string, readonly string[]>()
    for (const file of files.filter((each) => !each.startsWith('console/app/')))
      for (const [, name] of readFileSync(join('src', file), 'utf8').matchAll(EXPORTED))
        places.set(name!, [...(places.get(name!) ?? []), file])
    const twins = [...places].filter(([name, homes]) => new Set(homes).size > 1 && !SAID_TWICE.includes(name))
    expect(twins).toEqual([])
  })

  it('is typed throughout', () => {
    const untyped = files.filter((file) =>
      /:\s*any\s*(?:[,;)=|&\]}>]|$)|\bas any\b|<any>|@ts-ignore|@ts-expect-error/mu.test(
        readFileSync(join('src', file), 'utf8'),
      ),
    )
    expect(untyped).toEqual([])
  })

  it('imports everything that it lays down: no file is dead', () => {
    const reached = new Set(
      imports.filter(({ target }) => isRelative(target)).map((each) => resolved(each).replace(/\.js$/u, '.ts')),
    )
    const dead = files.filter((file) => !reached.has(file) && !ENTRANCES.includes(file))
    expect(dead).toEqual([])
  })
})

/** It writes code of a service, which reads the environment. */
const WRITES_THE_ENVIRONMENT = 'compiler/openapi/print-handlers.ts'

/** Where the clock is read and handed on. */
const CLOCKS = [
  'cli/',
  'conformance/',
  'runtime/create-service.ts',
  'runtime/mount.ts',
  'runtime/net/retry-after.ts',
  'runtime/node.ts',
  'client/',
  'runtime/storage/sqlite/',
  'runtime/telemetry/',
  'runtime/testing/clock.ts',
  'console/app/clock.ts',
]

/** Files that are entered from outside. */
const ENTRANCES = [
  'adapters/ai-sdk.ts',
  'adapters/langchain.ts',
  'adapters/openai-agents.ts',
  'cli/main.ts',
  'cli/operator-file.ts',
  'client/index.ts',
  'client/stdio.ts',
  'compiler/index.ts',
  'console/app/main.ts',
  'console/index.ts',
  'runtime/events/notify.ts',
  'runtime/index.ts',
  'runtime/mount.ts',
  'runtime/node.ts',
  'runtime/patterns.ts',
  'runtime/storage/postgres/index.ts',
  'runtime/storage/sqlite/index.ts',
  'runtime/surfaces/mcp/index.ts',
  'runtime/telemetry/opentelemetry.ts',
  'runtime/testing/index.ts',
  'runtime/upstream/index.ts',
]
