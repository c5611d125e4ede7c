import { dirname, join, relative, resolve } from 'node:path'
import type { Plugin, RollupCache } from 'rollup'
import type { ts as TypeScript } from 'ts-morph'
import { bundleError } from './bundle-errors.js'
import { MANIFEST, moduleAt, modulesThatStay, type BundleModule, type Stripping } from './bundle-modules.js'
import { CliError } from './cli-error.js'
import { packageRoot } from './package-root.js'

export interface Bundle {
  readonly code: string
  /** Source file, relative to the project -> its text. */
  readonly sources: ReadonlyMap<string, string>
}

export interface BundleRequest {
  readonly root: string
  /** The entry, relative to the root. */
  readonly entry: string
  /** Packages that become part of the bundle; all others stay imports. */
  readonly inlined: readonly string[]
  /** The folder of generated code, relative to the root. */
  readonly generated?: string
}

/** What modules were joined to last, and of what; the manifest is not in it yet. */
interface Joined {
  readonly code: string
  readonly modules: ReadonlyMap<string, BundleModule>
  readonly cache: RollupCache | undefined
}

/** Folder of generated code and entry -> what it became. While a watcher runs, modules are joined again only when their code changes. */
const joined = new Map<string, Joined>()

/**
 * Bundles TypeScript modules into one ES module. Types are stripped, not checked; nothing is executed. A module that is not
 * TypeScript, or imports what is not there, is a `CliError`.
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
      : await joinModules(input, request.inlined, stripping, last?.cache)
  joined.set(key, now)
  const code = withManifest(now.code, [...now.modules.values()])
  if (code === undefined) return bundled({ root: request.root, entry: request.entry, inlined: request.inlined })
  const sources = [...now.modules].map(
    ([file, { text }]) => [relative(request.root, file).replaceAll('\\', '/'), text] as const,
  )
  return { code, sources: new Map(sources.filter(([path]) => !path.startsWith('..'))) }
}

/** The code with the text of the manifest in its place; undefined where somebody else writes what stands for it. */
function withManifest(code: string, modules: readonly BundleModule[]): string | undefined {
  const manifest = modules.find((module) => module.manifest !== undefined)?.manifest
  if (manifest === undefined) return code
  const parts = code.split(MANIFEST)
  return parts.length > 2 ? undefined : parts.join(manifest)
}

async function joinModules(
  input: string,
  inlined: readonly string[],
  stripping: Stripping,
  cache: RollupCache | undefined,
): Promise<Joined> {
  const { rollup } = await import('rollup')
  const modules = new Map<string, BundleModule>()
  const typescript: Plugin = {
    name: 'typescript',
    resolveId: (id, importer) => resolveId(id, importer, inlined),
    load(id) {
      const module = moduleAt(id, stripping)
      modules.set(id, module)
      return module.code
    },
  }
  const built = await rollup({
    input,
    ...(cache === undefined ? {} : { cache }),
    plugins: [typescript],
    onwarn: () => undefined,
  })
  const { output } = await built.generate({ format: 'es', inlineDynamicImports: true, generatedCode: 'es2015' })
  await built.close()
  return { code: output[0].code, modules, cache: built.cache }
}

async function strippingOf({ root, generated }: BundleRequest): Promise<Stripping> {
  const { ts } = await import('ts-morph')
  const options = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true }
  const strip: Stripping['strip'] = (path, text, keepsComments) => {
    const { outputText, diagnostics } = ts.transpileModule(text, {
      compilerOptions: { ...options, removeComments: !keepsComments },
      fileName: path,
      reportDiagnostics: true,
    })
    refuseBrokenSyntax(path, text, diagnostics?.[0])
    return outputText
  }
  return { root, generated, strip }
}

function refuseBrokenSyntax(path: string, text: string, broken: TypeScript.Diagnostic | undefined): void {
  if (broken === undefined) return
  const before = text.slice(0, broken.start ?? 0).split('\n')
  const { messageText: said } = broken
  const why = typeof said === 'string' ? said : said.messageText
  throw new CliError(`${path}:${before.length}:${(before.at(-1) ?? '').length + 1} ${why}`)
}

/** The declarations of a module whose exports are all annotated, without looking at any other. */
export async function declarationsOf(path: string, text: string): Promise<string> {
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
