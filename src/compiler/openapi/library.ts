import { load, YAMLException } from 'js-yaml'
import type { Json } from '../../protocol/manifest.js'
import { buildTree } from '../parse/build-tree.js'
import { mostValues } from '../parse/density.js'
import { READ_LIMITS } from '../parse/limits.js'
import { parseYaml } from '../parse/parse-yaml.js'
import { placeSources } from '../parse/sources.js'
import { valueAt, type YamlNode } from '../parse/tree.js'

/** A fault of a document, with its place. */
export interface ApiFinding {
  readonly file: string
  readonly line: number
  readonly column: number
  /** RFC 6901; empty for the whole document. */
  readonly pointer: string
  readonly message: string
}

/** A file of a description, read. */
export interface ApiDocument {
  readonly file: string
  readonly text: string
  readonly value: Json
}

export const MOST_CHARACTERS = 32 * 1024 * 1024

/** Reads JSON or YAML; what is neither is a finding. */
export function readApiDocument(file: string, text: string): ApiDocument | ApiFinding {
  const broken = (message: string, at = 0): ApiFinding => ({ ...placeOf(file, text, at), pointer: '', message })
  if (text.length > MOST_CHARACTERS)
    return broken(`The document has ${text.length} characters; at most ${MOST_CHARACTERS} are read.`)
  const json = /^\s*[[{]/u.test(text) ? parsedJson(text) : undefined
  const deep = json === undefined ? undefined : tooDeepAt(text)
  if (deep !== undefined) return broken(`The document is nested more than ${READ_LIMITS.depth} deep here.`, deep)
  if (json !== undefined) return { file, text, value: json }
  if (mostValues(text) > READ_LIMITS.values) return broken(`The document holds more than ${READ_LIMITS.values} values.`)
  if (text.trim() === '') return broken('The document is empty.')
  try {
    const value = load(text, { maxDepth: READ_LIMITS.depth }) as Json | undefined
    return value === undefined || value === null ? broken('The document is empty.') : { file, text, value }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    return broken(`The document is neither JSON nor YAML: ${error.reason}.`, error.mark?.position ?? 0)
  }
}

const [QUOTE, ESCAPE, LIST, LIST_END, MAP, MAP_END] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d]

/** Where JSON that was read goes deeper than anything here follows. */
function tooDeepAt(text: string): number | undefined {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const mark = text.charCodeAt(at)
    if (mark === QUOTE) at = endOfText(text, at)
    else if (mark === LIST || mark === MAP) {
      if (++depth > READ_LIMITS.depth) return at
    } else if (mark === LIST_END || mark === MAP_END) depth -= 1
  }
  return undefined
}

function endOfText(text: string, start: number): number {
  const end = text.indexOf('"', start + 1)
  let escapes = 0
  while (text.charCodeAt(end - 1 - escapes) === ESCAPE) escapes++
  return escapes % 2 === 0 ? end : endOfText(text, end)
}

const parsedJson = (text: string): Json | undefined => {
  try {
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}

/** For places only: what the tree leaves out is looked for where it would stand. */
function treeOf(file: string, text: string): YamlNode | undefined {
  const [source] = placeSources([{ file, text }]).files
  const parsed = parseYaml(text)
  return parsed.reason === undefined ? buildTree(parsed.events, source!, () => undefined, READ_LIMITS) : undefined
}

function placeOf(file: string, text: string, at: number) {
  const { line, column } = placeSources([{ file, text }]).place({ start: at, end: at }).range.start
  return { file, line, column }
}

/** A finding at a place of a document that was read. Only then is its text looked at again. */
export function findingAt({ file, text }: ApiDocument, pointer: string, message: string): ApiFinding {
  let node = treeOf(file, text)
  let at = node?.start ?? 0
  for (const step of pointerSteps(pointer)) {
    const key = node?.kind === 'map' ? node.keys.find(({ value }) => value === step) : undefined
    node = node?.kind === 'map' ? valueAt(node, step) : node?.kind === 'list' ? node.items[Number(step)] : undefined
    at = key?.start ?? node?.start ?? at
    if (node === undefined) break
  }
  return { ...placeOf(file, text, at), pointer, message }
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
