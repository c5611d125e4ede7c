import {
  SymbolKind,
  type DocumentSymbol,
  type SymbolInformation,
  type WorkspaceSymbolParams,
} from 'vscode-languageserver'
import { symbolsOf, type ManifestSymbol } from '../../../compiler/lsp/symbols.js'
import type { Outline } from '../closed-manifests.js'
import type { Workspace } from '../workspace.js'
import { locationOf } from './at.js'
import { inFile, type ReadFile } from './in-file.js'

const KINDS: { readonly [kind in ManifestSymbol['kind']]: SymbolKind } = {
  section: SymbolKind.Namespace,
  capability: SymbolKind.Function,
  input: SymbolKind.Variable,
  output: SymbolKind.Field,
  step: SymbolKind.Event,
}

export const documentSymbols = inFile((here): DocumentSymbol[] =>
  symbolsOf(here.root).map((symbol) => outlined(symbol, here)),
)

const outlined = (
  { kind, name, detail, span, nameSpan, children }: ManifestSymbol,
  here: ReadFile,
): DocumentSymbol => ({
  name,
  detail,
  kind: KINDS[kind],
  range: here.rangeOf(span),
  selectionRange: here.rangeOf(nameSpan),
  children: children.map((child) => outlined(child, here)),
})

/** An editor shows no more. */
const MOST_SYMBOLS = 500

/**
 * Finds declarations in all manifests of the workspace, open or closed, whose names contain the typed letters in
 * order.
 */
export async function workspaceSymbols(
  workspace: Workspace,
  { query }: WorkspaceSymbolParams,
): Promise<SymbolInformation[]> {
  const fits = holdsLetters(query)
  const closed = await workspace.closed()
  return [...workspace.allProjects(), ...closed]
    .flatMap((project) => project.roots.flatMap((root) => named(symbolsOf(root), '', project)))
    .filter(({ name }) => fits(name))
    .slice(0, MOST_SYMBOLS)
}

const named = (symbols: readonly ManifestSymbol[], above: string, project: Outline): readonly SymbolInformation[] =>
  symbols.flatMap(({ kind, name, nameSpan, children }) => [
    ...(kind === 'section' ? [] : [{ name, kind: KINDS[kind], location: locationOf(project, nameSpan), ...within(above) }]), // prettier-ignore
    ...named(children, kind === 'capability' ? name : '', project),
  ])

const within = (containerName: string) => (containerName === '' ? {} : { containerName })

function holdsLetters(query: string): (name: string) => boolean {
  const letters = query.toLowerCase()
  return (name) => {
    let at = 0
    for (const letter of name.toLowerCase()) if (letter === letters[at]) at++
    return at >= letters.length
  }
}
