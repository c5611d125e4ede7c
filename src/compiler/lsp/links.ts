import type { Span } from '../finding.js'
import { schemaFilesIn } from '../parse/schema-files.js'
import { valueAt, type YamlNode } from '../parse/tree.js'
import { textSpan } from './namings.js'

/** A text that names other files. */
export interface FileLink {
  readonly span: Span
  /** As it is written, relative to its file: a path, a glob or a URL. */
  readonly target: string
  readonly isGlob: boolean
}

/** The files that a file names: what it includes, its schema, and those that schemas in it refer to. */
export function linksOf(root: YamlNode | undefined, text: string, base: number): readonly FileLink[] {
  if (root?.kind !== 'map') return schemaComments(text, base)
  const include = valueAt(root, 'include')
  const schema = valueAt(root, '$schema')
  const written = [
    ...(include?.kind === 'list' ? include.items.map((node) => ({ node, isGlob: true })) : []),
    ...(schema === undefined ? [] : [{ node: schema, isGlob: false }]),
    // It may be a schema itself.
    ...schemaFilesIn(root, true).map((node) => ({ node, isGlob: false })),
  ]
  const links = written.flatMap(({ node, isGlob }): readonly FileLink[] =>
    node.kind === 'scalar' && typeof node.value === 'string'
      ? [{ span: textSpan(node), target: node.value, isGlob }]
      : [],
  )
  return [...schemaComments(text, base), ...links]
}

/** `# yaml-language-server: $schema=…`, which editors read. */
function schemaComments(text: string, base: number): readonly FileLink[] {
  return [...text.matchAll(/^#\s*yaml-language-server:\s*\$schema=(\S+)/gmu)].map(
    ({ index, 0: comment, 1: target }) => {
      const end = base + index + comment.length
      return { span: { start: end - target!.length, end }, target: target!, isGlob: false }
    },
  )
}
