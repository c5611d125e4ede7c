import type { ClientCapabilities } from 'vscode-languageserver'

/** Abilities of an editor that affect our responses. */
export interface EditorAbilities {
  /** It writes texts with places to go on. */
  readonly takesSnippets: boolean
  /** An edit may have places to go on, too. */
  readonly takesSnippetEdits: boolean
  /** It asks for the edit of an action when somebody chooses it. */
  readonly resolvesActions: boolean
  /** It asks for the findings of documents that it has open. */
  readonly pulls: boolean
  /** It asks again when it is told that findings changed. */
  readonly refreshes: boolean
}

export const NO_ABILITIES: EditorAbilities = {
  takesSnippets: false,
  takesSnippetEdits: false,
  resolvesActions: false,
  pulls: false,
  refreshes: false,
}

export const editorAbilities = ({ textDocument, workspace }: ClientCapabilities): EditorAbilities => ({
  takesSnippets: textDocument?.completion?.completionItem?.snippetSupport === true,
  takesSnippetEdits:
    workspace?.workspaceEdit?.documentChanges === true && workspace.workspaceEdit.snippetEditSupport === true,
  resolvesActions: textDocument?.codeAction?.resolveSupport?.properties?.includes('edit') === true,
  pulls: textDocument?.diagnostic !== undefined,
  refreshes: workspace?.diagnostics?.refreshSupport === true,
})
