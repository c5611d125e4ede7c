import { fileURLToPath } from 'node:url'
import { glob } from 'tinyglobby'
import { readFiles } from '../../compiler/shape/read-files.js'
import { readFromDisk } from '../shared/files/read-from-disk.js'
import { readManifest } from '../validate/read-manifest.js'
import type { EditorHost, Project } from './project.js'

/** Declarations of a manifest and its files, unchecked. */
export type Outline = Pick<Project, 'files' | 'roots'>

/** Manifests of the folders of an editor that it has not opened. */
export interface ClosedManifests {
  /** As they are on disk now, but those that are open. */
  outlines(folders: readonly string[], isOpen: (uri: string) => boolean): Promise<readonly Outline[]>
}

const MANIFESTS = '**/svc.{yaml,yml,json}'
const IGNORED = ['**/node_modules/**', '**/.git/**', '**/dist/**']
/** Folders inside folders that are searched, and manifests that are read. */
const DEEPEST = 8
const MOST = 200

/** Reads files at each question, and parses what differs from the time before. */
export function closedManifests({ log, textOf, uriOf }: Pick<EditorHost, 'log' | 'textOf' | 'uriOf'>): ClosedManifests {
  let known = new Map<string, { readonly text: string; readonly outline: Outline }>()
  const read = (file: string): string => textOf(uriOf(file)) ?? readFromDisk(file)
  async function outlined(path: string): Promise<readonly [string, { text: string; outline: Outline }]> {
    const { sources } = await readManifest(path, undefined, read)
    const text = JSON.stringify(sources)
    const before = known.get(path)
    if (before?.text === text) return [path, before]
    const { placed, roots } = readFiles(sources.map((source) => ({ ...source, file: uriOf(source.file) })))
    return [path, { text, outline: { files: placed.files, roots: roots.filter((root) => root !== undefined) } }]
  }
  return {
    async outlines(folders, isOpen) {
      const found = (await Promise.all(folders.map(manifestsIn))).flat()
      const paths = [...new Set(found)].filter((path) => !isOpen(uriOf(path))).slice(0, MOST)
      const read = new Map<string, { readonly text: string; readonly outline: Outline }>()
      for (const path of paths) {
        const entry = await outlined(path).catch(log)
        if (entry !== undefined) read.set(...entry)
      }
      known = read
      return [...read.values()].map(({ outline }) => outline)
    },
  }
}

/** Lists the manifests in a folder; none if it is unreadable or not on this machine. */
async function manifestsIn(folder: string): Promise<readonly string[]> {
  const cwd = pathOf(folder)
  if (cwd === undefined) return []
  const options = { cwd, absolute: true, ignore: IGNORED, deep: DEEPEST, followSymbolicLinks: false }
  return (await glob(MANIFESTS, options)).toSorted()
}

function pathOf(folder: string): string | undefined {
  try {
    return fileURLToPath(folder)
  } catch {
    return undefined
  }
}
