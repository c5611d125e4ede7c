import { DiagnosticSeverity, type Connection, type Diagnostic as EditorDiagnostic } from 'vscode-languageserver'
import type { Diagnostic, Severity } from '../../compiler/index.js'
import { rulePageUri } from '../shared/rule-pages.js'
import { editorRange } from './positions.js'
import type { Published, Workspace } from './workspace.js'

const SEVERITY: { readonly [severity in Severity]: DiagnosticSeverity } = {
  error: DiagnosticSeverity.Error,
  warning: DiagnosticSeverity.Warning,
  info: DiagnosticSeverity.Information,
}

/** Findings sent to the editor. */
export interface Findings {
  report(found: Published): void
  /** Takes back what was told of files. */
  forget(uris: readonly string[]): void
}

/**
 * Tells the editor of each file, but of those that it has open and asks for itself: it is asked to do so when their
 * findings changed. An editor that is gone reads nothing more.
 */
export function findingsFor(connection: Connection, workspace: Workspace): Findings {
  const told = new Set<string>()
  const pulled = new Map<string, string>()
  const send = (uri: string, diagnostics: EditorDiagnostic[]): void => {
    if (diagnostics.length > 0) told.add(uri)
    else told.delete(uri)
    connection.sendDiagnostics({ uri, diagnostics }).catch(() => undefined)
  }
  /** Checks whether the editor has other findings of an open document. */
  const isNews = (uri: string, diagnostics: readonly EditorDiagnostic[]): boolean => {
    const text = JSON.stringify(diagnostics)
    const before = pulled.get(uri)
    pulled.set(uri, text)
    if (told.has(uri)) send(uri, [])
    return before !== text
  }
  return {
    report(found) {
      const { pulls, refreshes } = workspace.abilities()
      let news = 0
      for (const [uri, diagnostics] of found) {
        const items = diagnostics.map(editorDiagnostic)
        if (!pulls || workspace.get(uri) === undefined) send(uri, items)
        else if (isNews(uri, items)) news++
      }
      if (news > 0 && refreshes) void refresh(connection)
    },
    forget(uris) {
      for (const uri of uris) {
        pulled.delete(uri)
        send(uri, [])
      }
    },
  }
}

async function refresh({ languages }: Connection): Promise<void> {
  try {
    await languages.diagnostics.refresh()
  } catch {
    // An editor that does not ask again shows what it has.
  }
}

const pages = new Map<string, string | undefined>()

/** The page of a rule, which an editor opens from its code. */
function pageOf(slug: string): { readonly codeDescription?: { readonly href: string } } {
  if (!pages.has(slug)) pages.set(slug, rulePageUri(slug))
  const href = pages.get(slug)
  return href === undefined ? {} : { codeDescription: { href } }
}

export const editorDiagnostic = ({
  range,
  severity,
  code,
  slug,
  message,
  related,
  file,
}: Diagnostic): EditorDiagnostic => ({
  range: editorRange(range),
  severity: SEVERITY[severity],
  code,
  ...pageOf(slug),
  source: 'svc',
  message,
  relatedInformation: related.map((each) => ({
    location: { uri: each.file || file, range: editorRange(each.range) },
    message: each.message,
  })),
})
