import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { check, type Checked, type CheckOptions } from '../../compiler/check.js'
import { includesIn, type IncludeProblem } from '../../compiler/parse/includes.js'
import { schemaFilesIn } from '../../compiler/parse/schema-files.js'
import { placeSources, type PlacedSource } from '../../compiler/parse/sources.js'
import type { Span, YamlNode } from '../../compiler/parse/tree.js'
import { buildSettings, NOTHING_SAID, type BuildSettings } from '../config/build-settings.js'
import { readFromDisk } from '../shared/files/read-from-disk.js'
import { readManifest } from '../validate/read-manifest.js'

/** A manifest with its fragments, as the editor sees them. Offsets count over all of its files. */
export interface Project {
  /** The manifest first; each file is named by its URI. */
  readonly files: readonly PlacedSource[]
  readonly roots: readonly YamlNode[]
  readonly judged: Checked
  /** Options it was checked with. */
  readonly options: CheckOptions
}

export interface ProjectLoader {
  /** Checks the project anew. What stands on disk is read again only when `isStale` or the includes changed. */
  check(isStale: boolean): Promise<Project>
}

/** Editor operations that a project needs. */
export interface EditorHost {
  /** Returns the editor's text of a file. */
  textOf(uri: string): string | undefined
  /** The URI of a file, spelt as the editor spells it. */
  uriOf(path: string): string
  /** Takes what is no finding of a manifest. */
  log(error: unknown): void
  now(): number
}

interface Loaded {
  readonly uris: readonly string[]
  readonly texts: ReadonlyMap<string, string>
  readonly includeProblems: readonly IncludeProblem[]
  /** Lint settings of the configuration beside the manifest. */
  readonly checks: BuildSettings['checks']
}

/** A project by the URI of its manifest. */
export function projectLoader(manifest: string, host: EditorHost): ProjectLoader {
  let loaded: Loaded | undefined
  let includes = ''
  function judged({ uris, texts, includeProblems, checks }: Loaded): Project {
    const sources = uris.map((uri) => ({ file: uri, text: host.textOf(uri) ?? texts.get(uri) ?? '' }))
    const options = { ...checks, now: host.now(), includeProblems }
    const judged = check(sources, options)
    const roots = judged.roots.filter((root) => root !== undefined)
    return { files: placeSources(sources).files, roots, judged, options }
  }
  return {
    async check(isStale) {
      const isFresh = loaded === undefined || isStale
      if (loaded === undefined || isStale) loaded = await load(manifest, host)
      const project = judged(loaded)
      const before = includes
      includes = includesText(project) ?? before
      if (isFresh || includes === before) return project
      loaded = await load(manifest, host)
      return judged(loaded)
    },
  }
}

async function load(manifest: string, { textOf, uriOf, log }: EditorHost): Promise<Loaded> {
  if (!manifest.startsWith('file:')) return { uris: [manifest], texts: new Map(), includeProblems: [], checks: {} }
  const path = fileURLToPath(manifest)
  const read = (file: string): string => textOf(uriOf(file)) ?? readFromDisk(file)
  const { sources, includeProblems } = await readManifest(path, undefined, read)
  const { checks } = await buildSettings(dirname(path)).catch((error: unknown) => {
    log(error)
    return NOTHING_SAID
  })
  const texts = new Map(sources.map(({ file, text }) => [uriOf(file), text]))
  const problems = includeProblems.map((each) => (each.file === undefined ? each : { ...each, file: uriOf(each.file) }))
  return { uris: [...texts.keys()], texts, includeProblems: problems, checks }
}

/** Returns the includes and schema references of a manifest as one text; undefined while it is unreadable. */
const includesText = ({ judged, roots }: Project): string | undefined =>
  judged.roots[0] === undefined ? undefined : [...includesIn(judged.roots[0]), ...roots.flatMap(referredIn)].join('\0')

/** Lists the files that a document refers to, in its schemas or as one. */
const referredIn = (root: YamlNode): readonly string[] => schemaFilesIn(root, true).map(({ value }) => String(value))

/** A document that is no manifest and no part of one, such as the workflow of a CI: nothing is found in it. */
export const foreignProject = (file: string, text: string): Project => ({
  files: placeSources([{ file, text }]).files,
  roots: [],
  judged: { diagnostics: [], roots: [undefined] },
  options: {},
})

/** By its name, or by what it says; what is not saved yet is meant to be one. */
export const isManifest = (uri: string, text: string): boolean =>
  !uri.startsWith('file:') || /\/svc\.(?:ya?ml|json)$/u.test(uri) || SAYS_SO.test(text)

const SAYS_SO = /^\s*["']?(?:manifest_metadata|service_identity|capabilities)["']?\s*:/mu

/** The manifest above a fragment that may include it. */
export function manifestOver(uri: string, text: string): string | undefined {
  if (!uri.startsWith('file:') || /^(?:manifest_metadata|service_identity|trust)\s*:/mu.test(text)) return undefined
  return manifestIn(dirname(fileURLToPath(uri)))
}

function manifestIn(folder: string): string | undefined {
  const file = join(folder, 'svc.yaml')
  if (existsSync(file)) return file
  return folder === dirname(folder) ? undefined : manifestIn(dirname(folder))
}

/** The file that a place of the project stands in, and the place within it. */
export function placeIn(
  { files }: Pick<Project, 'files'>,
  span: Span,
): { readonly file: PlacedSource; readonly span: Span } {
  const file = files.findLast(({ base }) => base <= span.start)!
  return { file, span: { start: span.start - file.base, end: span.end - file.base } }
}
