import { readFile } from 'node:fs/promises'
import { dirname, join, relative, resolve } from 'node:path'
import type { Plugin, RollupCache } from 'rollup'
import type { ts as TypeScript } from 'ts-morph'
import { bundleError } from './bundle-errors.js'
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
  readonly banner: string
}

/**
 * Bundles TypeScript modules into one ES module. Types are stripped, not checked; nothing is executed. A module that is not
 * TypeScript, or imports what is not there, is a `CliError`.
 */
export async function bundle(request: BundleRequest): Promise<Bundle> {
  return bundled(request).catch((error: unknown) => {
    throw bundleError(error, request.root)
  })
}

async function bundled({ root, entry, inlined, banner }: BundleRequest): Promise<Bundle> {
  const { rollup } = await import('rollup')
  const sources = new Map<string, string>()
  const input = join(root, entry)
  const cache = parsed.get(input)
  const built = await rollup({
    input,
    ...(cache === undefined ? {} : { cache }),
    plugins: [await typescript(root, sources, inlined)],
    onwarn: () => undefined,
  })
  const { output } = await built.generate({ format: 'es', inlineDynamicImports: true, banner, generatedCode: 'es2015' })
  if (built.cache !== undefined) parsed.set(input, built.cache)
  await built.close()
  return { code: output[0].code, sources }
}

async function typescript(root: string, sources: Map<string, string>, inlined: readonly string[]): Promise<Plugin> {
  const { ts } = await import('ts-morph')
  const compilerOptions = { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true }
  return {
    name: 'typescript',
    resolveId: (id, importer) => resolveId(id, importer, inlined),
    async load(id) {
      const text = await readFile(id, 'utf8')
      const path = relative(root, id).replaceAll('\\', '/')
      if (!path.startsWith('..')) sources.set(path, text)
      return id.endsWith('.ts')
        ? stripped(id, text, () => {
            const { outputText, diagnostics } = ts.transpileModule(text, {
              compilerOptions,
              fileName: id,
              reportDiagnostics: true,
            })
            refuseBrokenSyntax(path, text, diagnostics?.[0])
            return outputText
          })
        : text
    },
  }
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

/** Entry -> its modules as they were parsed last. */
const parsed = new Map<string, RollupCache>()

/** File -> its text and what it became: while a watcher runs, only what changed is stripped again. */
const known = new Map<string, { readonly text: string; readonly code: string }>()

function stripped(id: string, text: string, strip: () => string): string {
  const last = known.get(id)
  if (last?.text === text) return last.code
  const code = strip()
  known.set(id, { text, code })
  return code
}

function resolveId(id: string, importer: string | undefined, inlined: readonly string[]) {
  if (importer === undefined) return id
  if (id.startsWith('.')) return resolve(dirname(importer), importer.endsWith('.ts') ? id.replace(/\.js$/u, '.ts') : id)
  if (inlined.includes(id)) return join(packageRoot(), 'dist', id.replace('svc-kit/', ''), 'index.js')
  return { id, external: true }
}
