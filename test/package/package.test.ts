import { execFileSync } from 'node:child_process'
import { readFileSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { SCHEMA_NAMES } from '../../src/cli/schema/table.js'

interface Locked {
  readonly version: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly optional?: boolean
  readonly peer?: boolean
  readonly hasInstallScript?: boolean
}

const own = JSON.parse(readFileSync('package.json', 'utf8')) as {
  readonly dependencies: { readonly [name: string]: string }
  readonly peerDependencies: { readonly [name: string]: string }
  readonly peerDependenciesMeta: { readonly [name: string]: { readonly optional?: boolean } }
  readonly scripts: { readonly [name: string]: string }
}
const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  readonly packages: { readonly [path: string]: Locked }
}
const locked = Object.entries(packages).filter(([path]) => path !== '')
const installed = locked.filter(([, entry]) => entry.dev !== true && entry.devOptional !== true)
const nameOf = (path: string): string => path.replace(/^.*node_modules\//u, '')

/** What the package may contain, and nothing else. */
const ALLOWED = [
  /^(?:package\.json|(?:README|CHANGELOG|CONTRIBUTING|SECURITY)\.md|LICENSE|llms\.txt)$/u,
  /^bin\/svc\.cjs$/u,
  /^dist\/(?:sbom\.cdx\.json|THIRD_PARTY_NOTICES\.txt)$/u,
  /^dist\/(?:protocol|crypto|client|adapters|runtime|console)\/[a-z0-9/-]+\.(?:js|d\.ts)$/u,
  /^dist\/console\/assets\/[\w-]+\.(?:js|css|html|svg)$/u,
  /^dist\/compiler\/[a-z0-9/-]+\.d\.ts$/u,
  /^dist\/bundle\/(?:cli|judge|templates)\/[\w-]+\.cjs$/u,
  /^dist\/bundle\/compiler\/[\w-]+\.js$/u,
  /^dist\/bundle\/operate\/operate\.mjs$/u,
  /^docs\/[\w./-]+\.(?:md|png|svg)$/u,
  /^examples\/(?!.*\/(?:node_modules|dist|data|keys)\/)[\w./-]+\.(?:conf|js|json|md|py|ts|ya?ml)$/u,
  /^examples\/mount\/next\/app\/[\w./[\]-]+\/route\.ts$/u,
  /^examples\/[\w./-]+\/(?:\.env\.example|\.gitattributes|\.gitignore|Dockerfile)$/u,
  /^schemas\/[a-z-]+(?:\.schema)?\.json$/u,
  /^templates\/(?:common|imported|minimal|travel)\/[\w./-]+\.tmpl$/u,
  /^templates\/deploy\/monitoring\/\w+\.(?:yml|json)$/u,
  /^templates\/deploy\/(?:docker|kubernetes|systemd)\/[\w./-]+\.tmpl$/u,
  /^templates\/agent-guide\.md$/u,
  /^templates\/python\/_\w+\.py$/u,
]

interface Packed {
  readonly files: readonly { readonly path: string }[]
}

const packedFiles = (): readonly string[] => {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=error'], {
    encoding: 'utf8',
    timeout: 60_000,
  })
  const [packed] = JSON.parse(output) as readonly Packed[]
  return packed!.files.map(({ path }) => path)
}

it('S01 no dependency that a service installs runs a script at installation', () => {
  expect(installed.filter(([, entry]) => entry.hasInstallScript === true).map(([path]) => path)).toEqual([])
  expect(Object.keys(own.scripts).filter((name) => /install|^prepare$/u.test(name))).toEqual([])
})

it('S19 what adapters and surfaces need beside them is installed by those who use them, and by nobody else', () => {
  const { peerDependencies, peerDependenciesMeta } = own
  const optional = Object.keys(peerDependencies).filter((name) => peerDependenciesMeta[name]?.optional === true)
  expect(optional).toEqual(Object.keys(peerDependencies))
  expect(optional).toEqual(expect.arrayContaining(['ai', '@openai/agents', '@langchain/core', '@langchain/langgraph']))
  const names = installed
    .filter(([, entry]) => entry.peer !== true && entry.optional !== true)
    .map(([path]) => nameOf(path))
  expect(
    names.filter((name) => /^(?:ai|zod|langchain|@(?:ai-sdk|openai|langchain|modelcontextprotocol)\/.*)$/u.test(name)),
  ).toEqual([])
})

it('S02 the lock file pins every package by its integrity', () => {
  expect(locked.filter(([, entry]) => !(entry.integrity ?? '').startsWith('sha512-')).map(([path]) => path)).toEqual([])
})

it('S02 the runtime rests on five packages, svc build on one more, and the sign-in of the console on another', () => {
  expect(Object.keys(own.dependencies)).toEqual([
    'jose',
    'libsql',
    'lossless-json',
    'openid-client',
    'pino',
    're2js',
    'rolldown',
  ])
  expect(installed.filter(([, entry]) => entry.optional !== true && entry.peer !== true).length).toBeLessThanOrEqual(25)
})

it('S03 the bill of materials lists every package of the lock file that a service installs', () => {
  const { components } = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')) as {
    readonly components: readonly { readonly name: string; readonly version: string }[]
  }
  const listed = new Set(components.map(({ name, version }) => `${name}@${version}`))
  expect(
    installed.map(([path, { version }]) => `${nameOf(path)}@${version}`).filter((each) => !listed.has(each)),
  ).toEqual([])
  expect([...listed].some((each) => each.startsWith('commander@'))).toBe(true)
})

it('S04 the package holds what it may hold and nothing else', () => {
  const files = packedFiles()
  expect(files.filter((path) => !ALLOWED.some((pattern) => pattern.test(path)))).toEqual([])
  expect(files).toContain('dist/runtime/index.js')
  expect(files).toEqual(expect.arrayContaining(SCHEMA_NAMES.map((name) => `schemas/${name}.schema.json`)))
})

it('the documents of the package link to nothing that is not in it', () => {
  const files = packedFiles()
  const documents = files.filter((path) => path.endsWith('.md'))
  const isPacked = (path: string) => files.some((file) => file === path || file.startsWith(`${path}/`))
  const dead = documents.flatMap((document) =>
    relativeLinks(readFileSync(document, 'utf8'))
      .map((link) => join(dirname(document), link).replace(/\/$/u, ''))
      .filter((path) => !isPacked(path))
      .map((path) => `${document} -> ${path}`),
  )
  expect(documents).toContain('docs/guides/verify-it-yourself.md')
  expect(dead).toEqual([])
})

/** The files that a document links to or shows, without what stands in its code. */
const relativeLinks = (text: string): readonly string[] =>
  [...text.replaceAll(/^```[\s\S]*?^```/gmu, '').matchAll(/\]\((?!\w+:|#)([^)#\s]+)/gu)].map(([, path]) => path!)

it('S05 the runtime makes no code, and starts no process but that of a pinned MCP server', () => {
  const rooms = ['protocol', 'crypto', 'client', 'adapters', 'runtime']
  const files = rooms.flatMap((room) =>
    readdirSync(join('dist', room), { recursive: true, encoding: 'utf8' }).map((file) => join('dist', room, file)),
  )
  const makers = files.filter(
    (file) =>
      file.endsWith('.js') && /\beval\(|\bnew Function\(|node:vm|child_process/u.test(readFileSync(file, 'utf8')),
  )
  expect(makers).toEqual([join('dist/runtime', 'upstream/mcp/process.js')])
})

it('S05 this suite and the processes that it starts run where no code can be made from text', () => {
  const attempt = "try { Function('return 1') } catch ({ message }) { console.log(message) }"
  const { Function: codeFrom } = globalThis
  expect(() => codeFrom('return 1')).toThrow('Code generation from strings disallowed')
  expect(execFileSync(process.execPath, ['-e', attempt], { encoding: 'utf8', timeout: 30_000 })).toContain('disallowed')
})
