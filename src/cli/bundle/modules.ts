import { existsSync, readFileSync, type Stats, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Strip, TypedModule } from './strip.js'

/** A module as a bundle takes it. */
export interface BundleModule {
  /** Stat of the file: a watcher does not read a file again while it is unchanged. */
  readonly stamp: string | undefined
  readonly text: string
  /** JavaScript. */
  readonly code: string
  /** From the code back to the text, as a source map; absent for generated code, which nobody debugs. */
  readonly map?: string
  /** A text that nothing is joined in, and what stands for it in the code. */
  readonly aside?: Aside
}

/** A large text of generated code that stays aside while modules are joined. */
export interface Aside {
  readonly placeholder: string
  readonly text: string
}

/** Conversion of a project's modules to JavaScript. */
export interface Stripping extends Strip {
  readonly root: string
  /**
   * The folder of generated code, whose comments stay behind: they say what the code was made from, and change with it.
   */
  readonly generated: string | undefined
}

/** Folder of generated code and file -> what the file was, and how it was stripped. */
const known = new Map<string, BundleModule>()

/** The module of a file; the error of reading it when there is none. */
export const moduleAt = (file: string, stripping: Stripping): BundleModule =>
  moduleOf(file, statSync(file, { throwIfNoEntry: false }), stripping)

function moduleOf(file: string, stats: Stats | undefined, stripping: Stripping): BundleModule {
  const key = `${stripping.generated ?? ''}\0${file}`
  const last = known.get(key)
  const stamp = stampOf(stats)
  if (last !== undefined && stamp !== undefined && last.stamp === stamp) return last
  const text = readFileSync(file, 'utf8')
  const module = { ...stripped(file, text, last, stripping), stamp, text }
  known.set(key, module)
  return module
}

/** Two saves within this time may look the same. */
const CLOCK_MS = 100

/** Returns a file's stamp; undefined if the file is missing, or so new that it may change within the same stamp. */
function stampOf(stats: Stats | undefined): string | undefined {
  if (stats === undefined || Math.abs(Date.now() - stats.mtimeMs) < CLOCK_MS) return undefined
  return `${stats.ino} ${stats.size} ${stats.mtimeMs} ${stats.ctimeMs}`
}

/** The modules as they are now, if each is there and becomes the same code; else undefined. */
export function modulesThatStay(
  before: ReadonlyMap<string, BundleModule>,
  stripping: Stripping,
): ReadonlyMap<string, BundleModule> | undefined {
  const modules = new Map<string, BundleModule>()
  for (const [file, { code, map }] of before) {
    const stats = statSync(file, { throwIfNoEntry: false })
    if (stats?.isFile() !== true) return undefined
    const module = moduleOf(file, stats, stripping)
    if (module.code !== code || module.map !== map) return undefined
    modules.set(file, module)
  }
  return modules
}

function stripped(
  file: string,
  text: string,
  last: BundleModule | undefined,
  stripping: Stripping,
): Pick<BundleModule, 'code' | 'map' | 'aside'> {
  if (!file.endsWith('.ts')) return { code: text }
  const { path, isGenerated, left } = typedModule(file, text, stripping)
  if (left !== undefined)
    return { code: stripping.strip({ path, text: left.code, keepsComments: false }).code, aside: left.aside }
  const isSame = last !== undefined && (isGenerated ? bodyOf(last.text) === bodyOf(text) : last.text === text)
  if (isSame) return { code: last.code, ...(last.map !== undefined && { map: last.map }) }
  const { code, map } = stripping.strip({ path, text, keepsComments: !isGenerated })
  return isGenerated ? { code } : { code, map }
}

function typedModule(file: string, text: string, { root, generated }: Stripping) {
  const path = relative(root, file).replaceAll('\\', '/')
  const isGenerated = generated !== undefined && file.startsWith(join(root, generated, '/'))
  return { path, isGenerated, left: isGenerated ? ASIDE[path.slice(generated.length + 1)]?.(text) : undefined }
}

const IMPORTED = /\bfrom ['"](\.{1,2}\/[^'"\n]+)\.js['"]/gu

/** The modules that one leads to by its imports, as far as they are there; for work that is done ahead. */
export function modulesBelow(input: string, stripping: Stripping): readonly TypedModule[] {
  const open = [input]
  const found = new Map<string, TypedModule>()
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file) || !existsSync(file)) continue
    const text = readFileSync(file, 'utf8')
    const { path, isGenerated, left } = typedModule(file, text, stripping)
    const module = { path, text: left?.code ?? text, keepsComments: !isGenerated }
    found.set(file, module)
    for (const [, to] of module.text.matchAll(IMPORTED)) open.push(resolve(dirname(file), `${to}.ts`))
  }
  return [...found.values()]
}

interface Left {
  /** TypeScript, with a placeholder where the text stood. */
  readonly code: string
  readonly aside: Aside
}

const MANIFEST_TEXT = /JSON\.parse\(\n\s*([^]*),\n\) as Manifest\n$/u
/** Imports of the runtime before the checks, the body of the function that makes them, and all that follows. */
const CHECKS_TEXT = new RegExp(
  [
    /^import \{ ([\w, ]*?)(?:, )?type ValueCheck \} from 'svc-kit\/runtime'\n([^]*?)/u,
    /^const checks: [^\n]* = \(\(\) => \{\n([^]*)\n\}\)\(\)\n([^]*)$/u,
  ]
    .map(({ source }) => source)
    .join(''),
  'mu',
)

/** Generated modules, by their path, of which a text stays aside; undefined for one of another form. */
const ASIDE: { readonly [path: string]: (text: string) => Left | undefined } = {
  'manifest.ts': (text) => {
    const manifest = MANIFEST_TEXT.exec(text)?.[1]
    if (manifest === undefined) return undefined
    const placeholder = '__svc_manifest__'
    return { code: `export const manifest = JSON.parse(${placeholder})\n`, aside: { placeholder, text: manifest } }
  },
  'checks.ts': (text) => {
    const [whole, names = '', imports = '', body, rest] = CHECKS_TEXT.exec(text) ?? []
    if (whole === undefined) return undefined
    const patterns = imports.includes('linearPattern') ? ['linearPattern'] : []
    const needs = [...names.split(', ').filter((name) => name !== ''), ...patterns].join(', ')
    const placeholder = '__svc_checks__'
    return {
      code: `${whole.slice(0, whole.indexOf('const checks: '))}const checks = ${placeholder}({ ${needs} })\n${rest}`,
      aside: { placeholder, text: `(({ ${needs} }) => {\n${body}\n})` },
    }
  },
}

/** Generated code without its header. */
export const bodyOf = (text: string): string => text.slice(text.indexOf('\n\n') + 1)
