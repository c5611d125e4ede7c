import type { Source } from '../diagnostics.js'
import { readDocument } from './read-document.js'
import type { MapNode, ScalarNode, YamlNode } from './tree.js'

/** The fields that hold schemas of structured values, wherever they stand. */
export const SCHEMA_FIELDS: ReadonlySet<string> = new Set(['x-schema', 'x-schemas'])

/** The files that the schemas of a source refer to, as they are written; of a schema file itself, or of a manifest. */
export function schemaFilesOf({ file, text }: Source, isSchema: boolean): readonly string[] {
  if (!mayRefer(text)) return []
  const root = readDocument({ file, text, base: 0 }, () => undefined)
  return root === undefined ? [] : schemaFilesIn(root, isSchema).map(({ value }) => String(value))
}

/** Checks whether a text may refer to a file. False is certain; true needs a parser. */
export const mayRefer = (text: string): boolean => /(?:\$|\\x24|\\u0024)ref["']?\s*:\s*(?!["']?#)\S/iu.test(text)

/** `$ref: ./order.yaml`: each value that names a file, in the schemas of a document. */
export function schemaFilesIn(root: YamlNode, isSchema: boolean): readonly ScalarNode[] {
  const found: ScalarNode[] = []
  const visit = (node: YamlNode, inSchema: boolean): void => {
    if (node.kind === 'list') for (const item of node.items) visit(item, inSchema)
    if (node.kind !== 'map') return
    for (const [index, key] of node.keys.entries()) {
      const value = node.values[index]
      if (value === undefined) continue
      if (inSchema && isFileReference(key, value)) found.push(value)
      else visit(value, inSchema || SCHEMA_FIELDS.has(String(key.value)))
    }
  }
  visit(root, isSchema)
  return found
}

/** A reference with `#` leads to a part of a document: to a shared schema, or nowhere. */
export const isFileReference = (key: ScalarNode, value: YamlNode): value is ScalarNode =>
  key.value === '$ref' &&
  value.kind === 'scalar' &&
  typeof value.value === 'string' &&
  /^(?:\.{1,2}\/|[^#]*\.(?:ya?ml|json)$|[a-z][a-z0-9+.-]*:\/\/)[^#]*$/iu.test(value.value)

/** Checks for a remote reference, which is reported and never read. */
export const isRemote = (reference: string): boolean => REMOTE_FILE.test(reference)
export const REMOTE_FILE = /^[a-z][a-z0-9+.-]*:\/\//iu

/** The name of the file that a reference leads to, as findings show it: `shop/svc.yaml`, `./a/order.yaml` -> `shop/a/order.yaml`. */
export function fileBeside(file: string, reference: string): string {
  const [, scheme = '', path = ''] = /^(.*:)?([^:]*)$/su.exec(decoded(file))!
  // `//` is `/` in a path, and not in a URI.
  const home = scheme === '' ? (path.startsWith('/') ? '/' : '') : /^\/*/u.exec(path)![0]
  const parts: string[] = []
  for (const part of [...path.split('/').slice(0, -1), ...reference.split('/')]) {
    if (part === '..' && parts.length > 0 && parts.at(-1) !== '..') parts.pop()
    else if (part !== '.' && part !== '') parts.push(part)
  }
  return scheme + home + parts.join('/')
}

/** An editor names files by URIs. */
export function decoded(file: string): string {
  try {
    return file.startsWith('file:') ? decodeURIComponent(file) : file
  } catch {
    return file
  }
}

/** `schemas/order-line.yaml` -> `OrderLine`: the shared schema that a file becomes. */
export const schemaNameOf = (file: string): string =>
  file
    .replace(/^.*\//su, '')
    .replace(/\.[^.]*$/u, '')
    .split(/[^A-Za-z0-9]+/u)
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join('')

/** A copy of a document whose references to files are changed; the same node where there is none. */
export function withReferences(root: YamlNode, isSchema: boolean, change: (node: ScalarNode) => ScalarNode): YamlNode {
  const visit = (node: YamlNode, inSchema: boolean): YamlNode => {
    if (node.kind === 'list') {
      const items = node.items.map((item) => visit(item, inSchema))
      return items.every((item, index) => item === node.items[index]) ? node : { ...node, items }
    }
    return node.kind === 'map' ? visitMap(node, inSchema) : node
  }
  const visitMap = (node: MapNode, inSchema: boolean): MapNode => {
    const values = node.values.map((value, index) => {
      const key = node.keys[index]!
      if (inSchema && isFileReference(key, value)) return change(value)
      return visit(value, inSchema || SCHEMA_FIELDS.has(String(key.value)))
    })
    return values.every((value, index) => value === node.values[index]) ? node : { ...node, values }
  }
  return visit(root, isSchema)
}
