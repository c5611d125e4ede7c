import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { check } from '../../compiler/check.js'
import type { Diagnostic } from '../../compiler/diagnostics.js'
import { lineStarts } from '../../compiler/read/sources.js'
import { readDocument } from '../../compiler/read/read-document.js'
import type { YamlNode } from '../../compiler/read/tree.js'
import { readManifest } from '../validate/read-manifest.js'

export interface OpenDocument {
  readonly uri: string
  readonly text: string
  readonly root: YamlNode | undefined
  readonly starts: readonly number[]
  /** Of the last check. */
  diagnostics: readonly Diagnostic[]
}

/** The documents that the editor holds. */
export interface Workspace {
  open(uri: string, text: string): OpenDocument
  close(uri: string): void
  get(uri: string): OpenDocument | undefined
  /** Checks the manifest that a document belongs to. Gives the findings of each of its files, those without any included. */
  check(uri: string): Promise<ReadonlyMap<string, readonly Diagnostic[]>>
  /** The text of a file as the editor sees it. */
  textOf(uri: string): string
}

export function createWorkspace(now: () => number): Workspace {
  const documents = new Map<string, OpenDocument>()
  return {
    open(uri, text) {
      const root = readDocument({ file: uri, text, base: 0 }, () => undefined)
      const document = { uri, text, root, starts: lineStarts(text), diagnostics: [] }
      documents.set(uri, document)
      return document
    },
    close: (uri) => void documents.delete(uri),
    get: (uri) => documents.get(uri),
    textOf: (uri) => documents.get(uri)?.text ?? readFileSync(fileURLToPath(uri), 'utf8'),
    async check(uri) {
      const { sources, includeProblems } = await sourcesOf(uri, documents)
      const { diagnostics } = check(sources, { now: now(), includeProblems })
      const byFile = new Map(sources.map(({ file }) => [file, diagnostics.filter((each) => each.file === file)]))
      for (const [file, found] of byFile) {
        const document = documents.get(file)
        if (document !== undefined) document.diagnostics = found
      }
      return byFile
    },
  }
}

/** The manifest of a document and its fragments, named by URI, as the editor sees them. */
async function sourcesOf(uri: string, documents: ReadonlyMap<string, OpenDocument>) {
  const own = { file: uri, text: documents.get(uri)?.text ?? '' }
  if (!uri.startsWith('file:')) return { sources: [own], includeProblems: [] }
  const file = fileURLToPath(uri)
  const isFragment = !/^(?:manifest_metadata|service_identity|trust)\s*:/mu.test(own.text)
  const includes = /^["']?include["']?\s*:/mu.test(own.text)
  const manifest = isFragment ? manifestAbove(dirname(file)) : includes ? file : undefined
  if (manifest === undefined || !existsSync(manifest)) return { sources: [own], includeProblems: [] }
  const { sources, includeProblems } = await readManifest(manifest)
  const named = sources.map((source) => {
    const name = pathToFileURL(source.file).href
    return { file: name, text: documents.get(name)?.text ?? source.text }
  })
  return named.some((source) => source.file === uri)
    ? { sources: named, includeProblems }
    : { sources: [own], includeProblems: [] }
}

function manifestAbove(folder: string): string | undefined {
  const file = join(folder, 'svc.yaml')
  if (existsSync(file)) return file
  return folder === dirname(folder) ? undefined : manifestAbove(dirname(folder))
}
