import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { createJudge, type Judged } from '../../compiler/check.js'
import type { IncludeProblem } from '../../compiler/read/includes.js'
import { placeSources, type PlacedSource } from '../../compiler/read/sources.js'
import type { Spot, YamlNode } from '../../compiler/read/tree.js'
import { buildSettings, type BuildSettings } from '../config/build-settings.js'
import { readFromDisk, readManifest } from '../validate/read-manifest.js'

/** A manifest with its fragments, as the editor sees them. Offsets count over all of its files. */
export interface Project {
  /** The manifest first; each file is named by its URI. */
  readonly files: readonly PlacedSource[]
  readonly roots: readonly YamlNode[]
  readonly judged: Judged
}

export interface ProjectLoader {
  /** Checks the project anew. What stands on disk is read again only when `isStale` or the includes changed. */
  check(isStale: boolean): Promise<Project>
}

interface Loaded {
  readonly uris: readonly string[]
  readonly texts: ReadonlyMap<string, string>
  readonly includes: string | undefined
  readonly includeProblems: readonly IncludeProblem[]
  /** What the configuration beside the manifest says of lints. */
  readonly checks: BuildSettings['checks']
}

/** A project by the URI of its manifest. `textOf` gives what the editor holds of a file. */
export function projectLoader(
  manifest: string,
  textOf: (uri: string) => string | undefined,
  now: () => number,
): ProjectLoader {
  const judge = createJudge()
  let loaded: Loaded | undefined
  return {
    async check(isStale) {
      const includes = includesText(textOf(manifest) ?? loaded?.texts.get(manifest) ?? '')
      if (loaded === undefined || isStale || includes !== loaded.includes) loaded = await load(manifest, textOf)
      const { uris, texts, includeProblems, checks } = loaded
      const sources = uris.map((uri) => ({ file: uri, text: textOf(uri) ?? texts.get(uri) ?? '' }))
      const judged = judge(sources, { ...checks, now: now(), includeProblems })
      const roots = judged.roots.filter((root) => root !== undefined)
      return { files: placeSources(sources).files, roots, judged }
    },
  }
}

async function load(manifest: string, textOf: (uri: string) => string | undefined): Promise<Loaded> {
  const own = textOf(manifest)
  if (!manifest.startsWith('file:'))
    return { uris: [manifest], texts: new Map(), includes: includesText(own ?? ''), includeProblems: [], checks: {} }
  const read = (file: string): string => textOf(pathToFileURL(file).href) ?? readFromDisk(file)
  const { sources, includeProblems } = await readManifest(fileURLToPath(manifest), undefined, read)
  const { checks } = await buildSettings(dirname(fileURLToPath(manifest)))
  const texts = new Map(sources.map(({ file, text }) => [pathToFileURL(file).href, text]))
  return { uris: [...texts.keys()], texts, includes: includesText(sources[0]?.text ?? ''), includeProblems, checks }
}

/** The text that says what a manifest includes. */
const includesText = (text: string): string | undefined =>
  /^["']?include["']?[ \t]*:.*(?:\n(?![\w"']).*)*/mu.exec(text)?.[0]

/** The URI of the manifest above a fragment that may include it. */
export function manifestOver(uri: string, text: string): string | undefined {
  if (!uri.startsWith('file:') || /^(?:manifest_metadata|service_identity|trust)\s*:/mu.test(text)) return undefined
  const found = manifestIn(dirname(fileURLToPath(uri)))
  return found === undefined ? undefined : pathToFileURL(found).href
}

function manifestIn(folder: string): string | undefined {
  const file = join(folder, 'svc.yaml')
  if (existsSync(file)) return file
  return folder === dirname(folder) ? undefined : manifestIn(dirname(folder))
}

/** The file that a place of the project stands in, and the place within it. */
export function placeIn({ files }: Project, spot: Spot): { readonly file: PlacedSource; readonly spot: Spot } {
  const file = files.findLast(({ base }) => base <= spot.start)!
  return { file, spot: { start: spot.start - file.base, end: spot.end - file.base } }
}
