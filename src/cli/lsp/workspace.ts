import type { Diagnostic } from '../../compiler/diagnostics.js'
import { lineStarts } from '../../compiler/read/sources.js'
import { offsetAt, type EditorPosition } from './positions.js'
import { manifestOver, projectLoader, type Project, type ProjectLoader } from './project.js'

export interface OpenDocument {
  readonly uri: string
  readonly text: string
  readonly starts: readonly number[]
}

/** One change of a document, as the editor tells it: without a range, the whole text is new. */
export interface Change {
  readonly range?: { readonly start: EditorPosition; readonly end: EditorPosition }
  readonly text: string
}

export type Published = ReadonlyMap<string, readonly Diagnostic[]>

/** The documents that the editor holds, and the manifests that they belong to. */
export interface Workspace {
  open(uri: string, text: string): void
  change(uri: string, changes: readonly Change[]): void
  close(uri: string): void
  /** Says that files on disk may have changed. */
  stale(): void
  get(uri: string): OpenDocument | undefined
  /** The project of a document as it was last checked. */
  projectOf(uri: string): Project | undefined
  /** Checks every manifest that an edit touched. Gives the findings of each of its files, those without any included. */
  check(): Promise<Published>
}

export function createWorkspace(now: () => number): Workspace {
  const documents = new Map<string, OpenDocument>()
  const loaders = new Map<string, ProjectLoader>()
  const projects = new Map<string, Project>()
  const touched = new Set<string>()
  const outdated = new Set<string>()
  const textOf = (uri: string): string | undefined => documents.get(uri)?.text

  async function checked(manifest: string): Promise<Project> {
    const loader = loaders.get(manifest) ?? projectLoader(manifest, textOf, now)
    loaders.set(manifest, loader)
    return loader.check(outdated.delete(manifest))
  }
  /** The project that a document belongs to; its own, if the manifest above does not include it. */
  async function projectFor(uri: string): Promise<Project> {
    const above = manifestOver(uri, textOf(uri) ?? '')
    const project = above === undefined ? undefined : await checked(above)
    return project?.files.some(({ file }) => file === uri) === true ? project : checked(uri)
  }
  const put = (uri: string, text: string): void => {
    documents.set(uri, { uri, text, starts: lineStarts(text) })
    touched.add(uri)
  }
  return {
    open(uri, text) {
      put(uri, text)
      this.stale()
    },
    change(uri, changes) {
      const document = documents.get(uri)
      if (document !== undefined) put(uri, changes.reduce(changed, document).text)
    },
    close(uri) {
      documents.delete(uri)
      projects.delete(uri)
      loaders.delete(uri)
      touched.delete(uri)
    },
    stale() {
      for (const manifest of loaders.keys()) outdated.add(manifest)
      for (const uri of documents.keys()) touched.add(uri)
    },
    get: (uri) => documents.get(uri),
    projectOf: (uri) => projects.get(uri),
    async check() {
      const found = new Map<string, readonly Diagnostic[]>()
      const done = new Set<string>()
      for (const uri of touched) {
        if (done.has(uri)) continue
        const before = projects.get(uri)
        const project = await projectFor(uri)
        for (const { file } of before?.files ?? []) if (!found.has(file)) found.set(file, [])
        for (const { file } of project.files) {
          done.add(file)
          projects.set(file, project)
          found.set(
            file,
            project.judged.diagnostics.filter((each) => each.file === file),
          )
        }
      }
      touched.clear()
      return found
    },
  }
}

function changed({ uri, text, starts }: OpenDocument, { range, text: written }: Change): OpenDocument {
  const whole = range === undefined
  const [from, to] = whole ? [0, text.length] : [offsetAt(starts, text, range.start), offsetAt(starts, text, range.end)]
  const now = text.slice(0, from) + written + text.slice(Math.max(from, to))
  return { uri, text: now, starts: lineStarts(now) }
}
