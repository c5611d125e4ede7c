import { readFileSync, type Stats, statSync } from 'node:fs'
import { join, relative } from 'node:path'

/** A module as a bundle takes it. */
export interface BundleModule {
  /** Stat of the file: a watcher does not read a file again while it is unchanged. */
  readonly stamp: string | undefined
  readonly text: string
  /** JavaScript. */
  readonly code: string
  /** From the code back to the text, as a source map; absent for generated code, which nobody debugs. */
  readonly map?: string
  /** Replacement for `MANIFEST` in the code. */
  readonly manifest?: string
}

/** Stands for the text of the manifest while modules are joined: that text is large, and nothing in it is joined. */
export const MANIFEST_PLACEHOLDER = '__svc_manifest__'

/** JavaScript of a TypeScript module. */
export interface Stripped {
  readonly code: string
  readonly map: string
}

/** Conversion of a project's modules to JavaScript. */
export interface Stripping {
  readonly root: string
  /**
   * The folder of generated code, whose comments stay behind: they say what the code was made from, and change with it.
   */
  readonly generated: string | undefined
  readonly strip: (path: string, text: string, keepsComments: boolean) => Stripped
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
  { root, generated, strip }: Stripping,
): Pick<BundleModule, 'code' | 'map' | 'manifest'> {
  const path = relative(root, file).replaceAll('\\', '/')
  if (!file.endsWith('.ts')) return { code: text }
  const isGenerated = generated !== undefined && file.startsWith(join(root, generated, '/'))
  const manifest = isGenerated && path === `${generated}/manifest.ts` ? MANIFEST_TEXT.exec(text)?.[1] : undefined
  if (manifest !== undefined)
    return { code: `export const manifest = JSON.parse(${MANIFEST_PLACEHOLDER});\n`, manifest }
  const isSame = last !== undefined && (isGenerated ? bodyOf(last.text) === bodyOf(text) : last.text === text)
  if (isSame) return { code: last.code, ...(last.map !== undefined && { map: last.map }) }
  const { code, map } = strip(path, text, !isGenerated)
  return isGenerated ? { code } : { code, map }
}

const MANIFEST_TEXT = /JSON\.parse\(\n\s*([^]*),\n\) as Manifest\n$/u

/** Generated code without its header. */
export const bodyOf = (text: string): string => text.slice(text.indexOf('\n\n') + 1)
