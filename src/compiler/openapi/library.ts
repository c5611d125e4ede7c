import { CORE_SCHEMA, load, mergeTag, YAMLException } from 'js-yaml'
import type { Json } from '../../protocol/manifest.js'
import { buildTree } from '../parse/build-tree.js'
import { mostValues } from '../parse/density.js'
import { READ_LIMITS } from '../parse/limits.js'
import { parseYaml } from '../parse/parse-yaml.js'
import { placeSources } from '../parse/sources.js'
import { valueAt, type YamlNode } from '../parse/tree.js'
import { FAULTS, type FaultText } from './faults.js'
import { jsonFaultOf, commentedJson } from './json-tokens.js'

/** A fault of a document, with its place. */
export interface ApiFinding {
  readonly file: string
  readonly line: number
  readonly column: number
  /** RFC 6901; empty for the whole document. */
  readonly pointer: string
  readonly message: FaultText
}

/** A file of a description, read. */
export interface ApiDocument {
  readonly file: string
  readonly text: string
  readonly value: Json
}

export const MOST_CHARACTERS = 32 * 1024 * 1024

/** Merge keys (`<<`) are of YAML 1.1, and real documents have them. */
const SCHEMA = CORE_SCHEMA.withTags(mergeTag)

/** Reads JSON, with or without comments, or YAML; a document that is neither is a finding. */
export function readApiDocument(file: string, text: string): ApiDocument | ApiFinding {
  const broken = (message: FaultText, at = 0): ApiFinding => ({ ...placeOf(file, text, at), pointer: '', message })
  if (text.length > MOST_CHARACTERS)
    return broken(
      FAULTS.unread.says(`The document has ${text.length} characters; at most ${MOST_CHARACTERS} are read.`),
    )
  const isLikeJson = /^\s*(?:[[{]|\/[/*])/u.test(text)
  const fault = isLikeJson ? jsonFaultOf(text, READ_LIMITS.depth) : undefined
  const json = isLikeJson && fault?.isDeep !== true ? commentedJson(text) : undefined
  if (fault !== undefined && (fault.isDeep || json !== undefined)) return broken(fault.message, fault.at)
  if (json !== undefined) return { file, text, value: json }
  if (mostValues(text) > READ_LIMITS.values)
    return broken(FAULTS.unread.says(`The document holds more than ${READ_LIMITS.values} values.`))
  if (text.trim() === '') return broken(FAULTS.unread.says('The document is empty.'))
  try {
    const value = loaded(text)
    return value === undefined || value === null
      ? broken(FAULTS.unread.says('The document is empty.'))
      : { file, text, value }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    const at = error.mark?.position ?? 0
    const key = error.reason === 'duplicated mapping key' ? keyAt(text, at) : undefined
    const other = FAULTS.unread.says(`The document is neither JSON nor YAML: ${error.reason}.`)
    return broken(key === undefined ? other : FAULTS.twice.says(JSON.stringify(key)), at)
  }
}

/**
 * The value of a document. A bracket that closes what its key opened may stand below that key, although YAML wants it
 * further to the right: other readers take it.
 */
function loaded(text: string): Json | undefined {
  const read = (each: string) => load(each, { maxDepth: READ_LIMITS.depth, schema: SCHEMA }) as Json | undefined
  try {
    return read(text)
  } catch (error) {
    if (!(error instanceof YAMLException) || error.reason !== 'deficient indentation') throw error
    try {
      return read(text.replaceAll(/^ *(?=[\]}])/gmu, '$& '))
    } catch {
      // The places of the first error are those of the text.
      throw error
    }
  }
}

/** The key of a mapping at a position, without its quotes. */
const keyAt = (text: string, at: number): string =>
  text
    .slice(at)
    .split(/:(?:\s|$)|\n/u, 1)[0]!
    .trim()
    .replaceAll(/^["']|["']$/gu, '')

/** For places only: what the tree leaves out is looked for where it would stand. */
function treeOf(document: ApiDocument): YamlNode | undefined {
  const known = TREES.get(document)
  if (known !== undefined) return known.tree
  const [source] = placeSources([document]).files
  const parsed = parseYaml(document.text)
  const tree = parsed.reason === undefined ? buildTree(parsed.events, source!, () => undefined, READ_LIMITS) : undefined
  TREES.set(document, { tree })
  return tree
}

/** Trees of the documents with findings: each is made once. */
const TREES = new WeakMap<ApiDocument, { readonly tree: YamlNode | undefined }>()

function placeOf(file: string, text: string, at: number) {
  const { line, column } = placeSources([{ file, text }]).place({ start: at, end: at }).range.start
  return { file, line, column }
}

/** A finding at a place of a document that was read. Its text is looked at again once the line is asked for. */
export function findingAt(document: ApiDocument, pointer: string, message: FaultText): ApiFinding {
  let place: ReturnType<typeof placeOf> | undefined
  const placed = () => (place ??= placeOf(document.file, document.text, offsetOf(document, pointer)))
  return {
    file: document.file,
    get line() {
      return placed().line
    },
    get column() {
      return placed().column
    },
    pointer,
    message,
  }
}

function offsetOf(document: ApiDocument, pointer: string): number {
  let node = treeOf(document)
  let at = node?.start ?? 0
  for (const step of pointerSteps(pointer)) {
    const key = node?.kind === 'map' ? node.keys.find(({ value }) => value === step) : undefined
    node = node?.kind === 'map' ? valueAt(node, step) : node?.kind === 'list' ? node.items[Number(step)] : undefined
    at = key?.start ?? node?.start ?? at
    if (node === undefined) break
  }
  return at
}

/** The members that a pointer goes through. */
export const pointerSteps = (pointer: string): readonly string[] =>
  pointer === ''
    ? []
    : pointer
        .slice(1)
        .split('/')
        .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))

/** One step further. */
export const pointerBelow = (pointer: string, ...steps: readonly (string | number)[]): string =>
  steps.reduce<string>((path, step) => `${path}/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`, pointer)
