import { fileURLToPath, pathToFileURL } from 'node:url'
import type {
  TextDocumentContentChangeEvent,
  TextDocumentItem,
  VersionedTextDocumentIdentifier,
} from 'vscode-languageserver'
import { TextDocument } from 'vscode-languageserver-textdocument'
import type { Diagnostic } from '../../compiler/diagnostics.js'
import { NO_ABILITIES, type EditorAbilities } from './abilities.js'
import { closedManifests, type Outline } from './closed-manifests.js'
import {
  foreignProject,
  isManifest,
  manifestOver,
  projectLoader,
  type EditorHost,
  type Project,
  type ProjectLoader,
} from './project.js'

export type Published = ReadonlyMap<string, readonly Diagnostic[]>

/** The documents that the editor holds, and the manifests that they belong to. */
export interface Workspace {
  open(item: TextDocumentItem): void
  change(identifier: VersionedTextDocumentIdentifier, changes: readonly TextDocumentContentChangeEvent[]): void
  /** Gives the files whose findings nobody asks for any more: those of its project. */
  close(uri: string): readonly string[]
  /** Says that files on disk may have changed. */
  stale(): void
  get(uri: string): TextDocument | undefined
  /** The project of a document as it was last checked. */
  projectOf(uri: string): Project | undefined
  /** Each project that was checked and is open. */
  allProjects(): readonly Project[]
  /** Reads the declarations of manifests in the editor's folders that are not open, from disk. */
  closed(): Promise<readonly Outline[]>
  /** Says which folders the editor shows, and which it no longer does. */
  showFolders(added: readonly string[], removed: readonly string[]): void
  /** Returns the abilities that the editor announced. */
  abilities(): EditorAbilities
  introduce(abilities: EditorAbilities): void
  /**
   * Checks every manifest that an edit touched. Gives the findings of each of its files, those without any included.
   */
  check(): Promise<Published>
}

/** `log` takes what is no finding: why a document could not be checked. */
export function createWorkspace({ now, log }: Pick<EditorHost, 'now' | 'log'>): Workspace {
  const documents = new Map<string, TextDocument>()
  const spellings = new Map<string, string>()
  const loaders = new Map<string, ProjectLoader>()
  const projects = new Map<string, Project>()
  const touched = new Set<string>()
  const outdated = new Set<string>()
  const folders = new Set<string>()
  let abilities = NO_ABILITIES
  const uriOf = (path: string): string => {
    const { href } = pathToFileURL(path)
    return spellings.get(href) ?? href
  }
  const host: EditorHost = { now, log, uriOf, textOf: (uri) => documents.get(uri)?.getText() }

  const closed = closedManifests(host)

  async function checked(manifest: string): Promise<Project> {
    const loader = loaders.get(manifest) ?? projectLoader(manifest, host)
    loaders.set(manifest, loader)
    return loader.check(outdated.delete(manifest))
  }
  /** The project that a document belongs to; its own, if the manifest above does not include it. */
  async function projectFor(uri: string): Promise<Project> {
    const text = host.textOf(uri) ?? ''
    const above = manifestOver(uri, text)
    const project = above === undefined ? undefined : await checked(uriOf(above))
    if (project?.files.some(({ file }) => file === uri) === true) return project
    return isManifest(uri, text) ? checked(uri) : foreignProject(uri, text)
  }
  async function recheck(uri: string, found: Map<string, readonly Diagnostic[]>, done: Set<string>): Promise<void> {
    const before = projects.get(uri)?.files ?? []
    const project = await projectFor(uri)
    for (const { file } of project.files) {
      done.add(file)
      projects.set(file, project)
      found.set(
        file,
        project.judged.diagnostics.filter((each) => each.file === file),
      )
    }
    // What the manifest no longer includes stands for itself, if it is open.
    for (const { file } of before.filter((each) => !found.has(each.file))) {
      found.set(file, [])
      if (documents.has(file)) touched.add(file)
    }
  }
  const put = (document: TextDocument): void => {
    documents.set(document.uri, document)
    spellings.set(plainly(document.uri), document.uri)
    touched.add(document.uri)
  }
  return {
    open({ uri, languageId, version, text }) {
      if (typeof uri !== 'string' || typeof text !== 'string') throw new Error('A document has a `uri` and a `text`.')
      put(TextDocument.create(uri, languageId, version, text))
      this.stale()
    },
    change({ uri, version }, changes) {
      const document = documents.get(uri)
      if (document !== undefined) put(TextDocument.update(document, [...changes], version))
    },
    close(uri) {
      const files = projects.get(uri)?.files.map(({ file }) => file) ?? []
      documents.delete(uri)
      spellings.delete(plainly(uri))
      loaders.delete(uri)
      touched.delete(uri)
      for (const file of [uri, ...files]) projects.delete(file)
      return [...new Set([uri, ...files])]
    },
    stale() {
      for (const manifest of loaders.keys()) outdated.add(manifest)
      for (const uri of documents.keys()) touched.add(uri)
    },
    get: (uri) => documents.get(uri),
    projectOf: (uri) => projects.get(uri),
    allProjects: () => [...new Set(projects.values())],
    closed: () => closed.outlines([...folders], (uri) => projects.has(uri)),
    showFolders(added, removed) {
      for (const uri of removed) folders.delete(uri)
      for (const uri of added) folders.add(uri)
    },
    abilities: () => abilities,
    introduce: (known) => void (abilities = known),
    async check() {
      const found = new Map<string, readonly Diagnostic[]>()
      const done = new Set<string>()
      for (const uri of touched) {
        if (done.has(uri)) continue
        // Other documents are checked all the same.
        await recheck(uri, found, done).catch(log)
      }
      touched.clear()
      return found
    },
  }
}

/** One spelling of all those that editors use: some escape `@`, others do not. */
function plainly(uri: string): string {
  try {
    return pathToFileURL(fileURLToPath(uri)).href
  } catch {
    return uri
  }
}
