import { dirname, join, relative, resolve } from 'node:path'
import type { Plugin, RollupCache, SourceMap } from 'rollup'
import { bundleError } from './errors.js'
import { moduleAt, modulesBelow, modulesThatStay, type Aside, type BundleModule, type Stripping } from './modules.js'
import { newStrip, withoutLink } from './strip.js'
import { packageRoot } from '../shared/files/package-root.js'

export interface Bundle {
  readonly code: string
  /** From the code back to the sources, as a source map; its paths are relative to the file that it was asked for. */
  readonly map: string
  /** Source file, relative to the project -> its text. */
  readonly sources: ReadonlyMap<string, string>
}

export interface BundleRequest {
  readonly root: string
  /** The entry, relative to the root. */
  readonly entry: string
  /** Future path of the bundle, relative to the root; paths in its source map are relative to it. */
  readonly file: string
  /** Packages that become part of the bundle; all others stay imports. */
  readonly inlined: readonly string[]
  /** The folder of generated code, relative to the root. */
  readonly generated?: string
}

/** Last joined modules and their sources; what stays aside is not inserted yet. */
interface Joined {
  readonly code: string
  readonly map: SourceMap
  readonly modules: ReadonlyMap<string, BundleModule>
  /** Made when it is asked for: modules are parsed again for it. */
  readonly cache: () => RollupCache | undefined
}

/**
 * Folder of generated code and entry -> what it became. While a watcher runs, modules are joined again only when their
 * code changes.
 */
const joined = new Map<string, Joined>()

/**
 * Bundles TypeScript modules into one ES module. Types are stripped, not checked; nothing is executed. A module that is
 * not TypeScript, or imports what is not there, is a `CliError`.
 */
export async function bundle(request: BundleRequest): Promise<Bundle> {
  return bundled(request).catch((error: unknown) => {
    throw bundleError(error, request.root)
  })
}

async function bundled(request: BundleRequest): Promise<Bundle> {
  const stripping = await strippingOf(request)
  const input = join(request.root, request.entry)
  const key = `${request.generated ?? ''}\0${input}`
  const last = joined.get(key)
  const modules = last && modulesThatStay(last.modules, stripping)
  const now =
    last !== undefined && modules !== undefined
      ? { ...last, modules }
      : await joinModules(input, request, stripping, last?.cache())
  joined.set(key, now)
  const whole = withAsides(now, [...now.modules.values()])
  if (whole === undefined) {
    const { generated: _, ...plain } = request
    return bundled(plain)
  }
  const sources = [...now.modules].map(
    ([file, { text }]) => [relative(request.root, file).replaceAll('\\', '/'), text] as const,
  )
  return { ...whole, sources: new Map(sources.filter(([path]) => !path.startsWith('..'))) }
}

/** The code with what stayed aside in its place; undefined where somebody else writes what stands for it. */
function withAsides({ code, map }: Joined, modules: readonly BundleModule[]): Pick<Bundle, 'code' | 'map'> | undefined {
  const placed = modules
    .flatMap(({ aside }) => (aside === undefined ? [] : [{ ...aside, at: code.indexOf(aside.placeholder) }]))
    .filter(({ at }) => at >= 0)
    .toSorted((one, other) => other.at - one.at)
  if (placed.some(({ placeholder, at }) => code.includes(placeholder, at + 1))) return undefined
  const mappings = map.mappings.split(';')
  for (const { at, text } of placed) mappings[linesIn(code.slice(0, at))] += ';'.repeat(linesIn(text))
  // From the last to the first, so that places stay.
  const whole = placed.reduce(
    (made, { placeholder, text, at }: Aside & { readonly at: number }) =>
      made.slice(0, at) + text + made.slice(at + placeholder.length),
    code,
  )
  return { code: whole, map: `${JSON.stringify({ ...map, mappings: mappings.join(';') })}\n` }
}

const linesIn = (text: string): number => text.split('\n').length - 1

async function joinModules(
  input: string,
  { root, file, inlined }: BundleRequest,
  stripping: Stripping,
  cache: RollupCache | undefined,
): Promise<Joined> {
  const { rollup } = await import('rollup')
  if (cache === undefined) stripping.ahead(modulesBelow(input, stripping))
  const modules = new Map<string, BundleModule>()
  const typescript: Plugin = {
    name: 'typescript',
    resolveId: (id, importer) => resolveId(id, importer, inlined),
    load(id) {
      const module = moduleAt(id, stripping)
      modules.set(id, module)
      return { code: module.code, map: module.map ?? { mappings: '' } }
    },
  }
  const built = await rollup({
    input,
    ...(cache === undefined ? {} : { cache }),
    plugins: [typescript],
    onwarn: () => undefined,
  })
  const { output } = await built.generate({ ...OUTPUT, file: join(root, file) })
  await built.close()
  const [{ code, map }] = output
  return { code: withoutLink(code), map: plain(map!), modules, cache: () => built.cache }
}

/** The sources are on the disk of who debugs; elsewhere their places are enough. */
const OUTPUT = {
  format: 'es',
  inlineDynamicImports: true,
  generatedCode: 'es2015',
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
} as const

/** The members of a map and nothing of its class, with `/` in paths. */
const plain = ({ version, file, names, sources, mappings }: SourceMap): SourceMap =>
  ({ version, file, names, sources: sources.map((path) => path.replaceAll('\\', '/')), mappings }) as SourceMap

async function strippingOf({ root, generated }: BundleRequest): Promise<Stripping> {
  const { ts } = await import('ts-morph')
  return { root, generated, ...newStrip(ts) }
}

/** The declarations of a module whose exports are all annotated, without looking at any other. */
export async function typeDeclarationsOf(path: string, text: string): Promise<string> {
  const { ts } = await import('ts-morph')
  return ts.transpileDeclaration(text, { fileName: path, compilerOptions: { target: ts.ScriptTarget.ES2023 } })
    .outputText
}

function resolveId(id: string, importer: string | undefined, inlined: readonly string[]) {
  if (importer === undefined) return id
  if (id.startsWith('.')) return resolve(dirname(importer), importer.endsWith('.ts') ? id.replace(/\.js$/u, '.ts') : id)
  if (inlined.includes(id)) return join(packageRoot(), 'dist', id.replace('svc-kit/', ''), 'index.js')
  return { id, external: true }
}
