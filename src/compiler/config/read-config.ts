import type { Diagnostic, Source } from '../diagnostics.js'
import type { Finding, Report } from '../finding.js'
import { readDocument } from '../parse/read-document.js'
import { reportRootKind } from '../shape/root-kind.js'
import { placeSources } from '../parse/sources.js'
import { readObject } from '../shape/read-value.js'
import { CONFIG } from '../shape/fields/config.js'
import { presentFindings } from '../explain/explain.js'
import { toDiagnostic } from '../explain/to-diagnostics.js'
import type { Config, ConfigView } from './config.js'
import { reportFolders } from './folders.js'
import { reportLints } from './lints.js'

/** Reads a configuration; everything that is wrong with it is SVC0004 with its place. */
export function readConfig(source: Source): { readonly config: Config; readonly diagnostics: readonly Diagnostic[] } {
  const findings: Finding[] = []
  const report: Report = (found, span, message, details) =>
    findings.push({
      code: 'SVC0004',
      span,
      message: found === 'SVC0105' ? NO_DOCUMENT : message,
      ...(details?.suggestion && { suggestion: details.suggestion }),
    })
  const placed = placeSources([source])
  const root = readDocument(placed.files[0]!, report)
  const view = root?.kind === 'map' ? viewOf(root, report, placed.text) : undefined
  if (root !== undefined && root.kind !== 'map') reportRootKind(root, CONFIG, report)
  const diagnostics = presentFindings(findings, { roots: [root], placed }).map((finding) =>
    toDiagnostic(finding, placed),
  )
  return { config: (view ?? {}) as Config, diagnostics }
}

const NO_DOCUMENT = 'The file has no document; write a configuration in it, or delete it.'

function viewOf(
  root: Parameters<typeof readObject>[1],
  report: Report,
  text: Parameters<typeof readObject>[3]['text'],
): ConfigView {
  const view = readObject(
    CONFIG,
    root,
    { span: root.keys[0] ?? root, name: CONFIG.title },
    { report, text },
  ) as ConfigView
  reportLints(view, report)
  reportFolders(view, report)
  return view
}
