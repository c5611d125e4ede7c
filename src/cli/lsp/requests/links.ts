import type { DocumentLink, DocumentLinkParams } from 'vscode-languageserver'
import { linksOf, type FileLink } from '../../../compiler/lsp/links.js'
import type { Workspace } from '../workspace.js'
import { openFile, type OpenFile } from './in-file.js'

export function documentLinks(workspace: Workspace, { textDocument }: DocumentLinkParams): DocumentLink[] {
  const here = openFile(workspace, textDocument.uri)
  if (here === undefined) return []
  return linksOf(here.root, here.file.text, here.file.base).flatMap((link) => linked(link, here))
}

/** A glob leads to the first file that it includes. */
function linked({ span, target, isGlob }: FileLink, { document, project, rangeOf }: OpenFile): readonly DocumentLink[] {
  const range = rangeOf(span)
  if (!isGlob) return uriFrom(target, document.uri).map((uri) => ({ range, target: uri }))
  const included = project.files.slice(1).map(({ file }) => file)
  const files = included.filter((uri) => uriFrom(target, document.uri).some((pattern) => fitsGlob(pattern, uri)))
  const tooltip = files.length > 1 ? { tooltip: `The first of ${files.length} files` } : {}
  return files.slice(0, 1).map((uri) => ({ range, target: uri, ...tooltip }))
}

/** Nothing, if one cannot be made of the other. */
function uriFrom(target: string, base: string): readonly string[] {
  if (!URL.canParse(target, base)) return []
  const { href, protocol } = new URL(target, base)
  return PROTOCOLS.includes(protocol) ? [href] : []
}

const PROTOCOLS: readonly string[] = ['file:', 'http:', 'https:']

/** Of the globs that are used only `*` is left to tell one included file from another. */
function fitsGlob(pattern: string, uri: string): boolean {
  const [first = '', ...others] = decodeURI(pattern).split(/\*+|\{[^}]*\}|%7B[^%]*%7D/iu)
  const plain = decodeURI(uri)
  let at = plain.startsWith(first) ? first.length : -1
  for (const part of others) {
    if (at === -1) return false
    const found = plain.indexOf(part.replace(/^\//u, ''), at)
    at = found === -1 ? -1 : found + part.length
  }
  return at !== -1
}
