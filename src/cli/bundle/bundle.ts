import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { basename, dirname, join, relative, resolve } from 'node:path'
import type { OutputChunk, Plugin } from 'rolldown'
import { CONSOLE_FOLDER } from './console-folder.js'
import { CliError, EXIT } from '../shared/errors/cli-error.js'
import { printable } from '../shared/output/printable.js'
import { bundleError } from './errors.js'
import { bodyOf } from './generated-body.js'
import {
  isInstalled,
  isNative,
  isTakenFromOutside,
  ownModule,
  packageNameOf,
  packagesOf,
  type JoinedPackage,
} from './packages.js'

export interface Bundle {
  readonly code: string
  /** From the code back to the sources, as a source map; its paths are relative to the file that it was asked for. */
  readonly map: string
  /** Source file, relative to the project -> its text. */
  readonly sources: ReadonlyMap<string, string>
  /** The packages of which modules became part of the code, sorted by name. */
  readonly packages: readonly JoinedPackage[]
  /** Names of the packages that the code imports, sorted. */
  readonly imported: readonly string[]
}

export interface BundleRequest {
  readonly root: string
  /** The entry, relative to the root. */
  readonly entry: string
  /** Future path of the bundle, relative to the root; paths in its source map are relative to it. */
  readonly file: string
  /** Packages that become part of the bundle; `all`: all but native ones and `external`. Others stay imports. */
  readonly inlined: readonly string[] | 'all'
  readonly external?: readonly string[]
  /** Code that stands before all other. */
  readonly banner?: string
  /** The folder of generated code, relative to the root: its headers, which name what it was made from, stay behind. */
  readonly generated?: string
}

/**
 * Bundles TypeScript modules into one ES module. Types are stripped, not checked; nothing is executed. A module that is
 * broken, or imports what is not there, is a `CliError`.
 */
export async function bundle(request: BundleRequest): Promise<Bundle> {
  const { root, entry, file, inlined, banner = '' } = request
  const { rolldown } = await import('rolldown')
  const sources = new Map<string, string>()
  const taken: string[] = []
  try {
    const built = await rolldown({
      input: join(root, entry),
      cwd: root,
      // What holds only modules of its own runs in browsers, too.
      platform: inlined === 'all' ? 'node' : 'neutral',
      tsconfig: false,
      experimental: { attachDebugInfo: 'none' },
      // A constant of a package that is copied to where it is used has no module: the bill of materials would miss it.
      optimization: { inlineConst: false },
      plugins: [resolver(request, taken), reader(request, sources), ...(inlined === 'all' ? [placer()] : [])],
      onLog: () => undefined,
    })
    const { output } = await built.generate({
      ...OUTPUT,
      banner,
      file: join(root, file),
      sourcemapPathTransform: (source, map) => shownPlace(root, source, dirname(map)),
    })
    await built.close()
    if (taken.length > 0) throw new CliError([...taken.map(printable), TAKEN], EXIT.findings)
    return bundleOf(request, output[0], sources)
  } catch (error) {
    throw bundleError(error, root)
  }
}

const TAKEN = 'A package may take its own files only: this one would copy a file of yours. Remove the package.'

/** The sources are on the disk of who debugs; elsewhere their places are enough. */
const OUTPUT = {
  format: 'es',
  codeSplitting: false,
  comments: { legal: false, annotation: true, jsdoc: false },
  sourcemap: 'hidden',
  sourcemapExcludeSources: true,
} as const

function bundleOf({ root, file }: BundleRequest, chunk: OutputChunk, sources: ReadonlyMap<string, string>): Bundle {
  const { version, names, sources: places, mappings } = chunk.map!
  const others = [...chunk.imports, ...chunk.dynamicImports].filter((id) => id !== chunk.fileName && !isBuiltin(id))
  return {
    code: chunk.code,
    map: `${JSON.stringify({ version, file: basename(file), names, sources: places, mappings })}\n`,
    sources: new Map([...sources].map(([path, text]) => [relative(root, path).replaceAll('\\', '/'), text])),
    packages: packagesOf(chunk.moduleIds),
    imported: [...new Set(others.map(packageNameOf))].toSorted(),
  }
}

/** Place of a source in the map. A package's is the same wherever it is installed. */
function shownPlace(root: string, source: string, from: string): string {
  const path = resolve(from, source)
  const shown = isOfProject(root, path) ? source : (packagesOf([path])[0]?.placeOf(path) ?? source)
  return shown.replaceAll('\\', '/')
}

/** Joins the runtime where its files and packages are not beside it: what it looks for at its own place has another. */
function placer(): Plugin {
  return {
    name: 'svc-places',
    async transform(code, id) {
      if (packageNameOf(packagesOf([id])[0]?.name ?? '') !== 'svc-kit' || !code.includes('import.meta.')) return null
      const asked = [...code.matchAll(RESOLVED)].map(([, name = '']) => name)
      const there = await Promise.all(asked.map((name) => this.resolve(name, id)))
      const joined = asked.filter((_, index) => there[index]?.external === false)
      return {
        code: code
          .replace(CONSOLE_FILES, CONSOLE_FOLDER)
          .replaceAll(RESOLVED, (call, name: string) => (joined.includes(name) ? `'${name}'` : call)),
      }
    },
  }
}

const CONSOLE_FILES = "'../../dist/console/assets/'"
const RESOLVED = /import\.meta\.resolve\('([^']+)'\)/gu

const isOfProject = (root: string, path: string): boolean => {
  const inside = relative(root, path)
  return !inside.startsWith('..') && !/(?:^|[\\/])node_modules[\\/]/u.test(inside)
}

/** Decides which packages are joined: svc-kit is the one that builds, whatever is installed. */
function resolver({ root, entry, inlined, external = [] }: BundleRequest, taken: string[]): Plugin {
  const isJoined = (id: string): boolean =>
    inlined === 'all' ? !external.includes(packageNameOf(id)) : inlined.includes(id)
  return {
    name: 'svc-packages',
    async resolveId(id, importer, { kind }) {
      if (importer === undefined || id.startsWith('\0')) return null
      if (/^[./\\]|^[a-zA-Z]:[\\/]/u.test(id)) {
        const found = await this.resolve(id, importer, { skipSelf: true, kind })
        if (found !== null && isTakenFromOutside(importer, found.id)) taken.push(`${importer} imports ${id}`)
        return found
      }
      if (isBuiltin(id) || !isJoined(id)) return { id, external: true }
      const own = ownModule(id)
      if (own !== undefined) return own
      for (const from of [importer, join(root, entry)]) {
        const found = await this.resolve(id, from, { skipSelf: true, kind })
        if (found !== null && isInstalled(found.id)) return isNative(found.id) ? { id, external: true } : found
      }
      return { id, external: true }
    },
  }
}

/** Reads the modules of the project, and keeps their texts. */
function reader({ root, generated }: BundleRequest, sources: Map<string, string>): Plugin {
  return {
    name: 'svc-sources',
    load(id) {
      if (!isOfProject(root, id) || id.startsWith('\0')) return null
      const text = readFileSync(id, 'utf8')
      sources.set(id, text)
      const isGenerated = generated !== undefined && id.startsWith(join(root, generated, '/'))
      return isGenerated ? { code: bodyOf(text) } : null
    },
  }
}
