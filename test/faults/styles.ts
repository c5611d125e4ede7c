import { parseDocument, visit, type Document } from 'yaml'
import { sitesOf } from './sites.js'
import type { Styled } from './fault.js'

/** Ways to write a manifest: name -> how it is written. */
const STYLES: { readonly [style: string]: (text: string) => string } = {
  'as it is': (text) => text,
  'block, two spaces': (text) => printed(text, false, {}),
  'block, four spaces': (text) => printed(text, false, { indent: 4 }),
  // The printer puts an empty list on a line of its own there, which is not YAML.
  'lists at the column of their key': (text) => printed(text, false, { indentSeq: false }).replaceAll(/:\n *\[\]/gu, ': []'),
  'flow below capabilities': (text) => printed(text, true, { lineWidth: 0 }),
  'double quotes': (text) => printed(text, false, { defaultStringType: 'QUOTE_DOUBLE', defaultKeyType: 'PLAIN' }),
  'single quotes': (text) => printed(text, false, { defaultStringType: 'QUOTE_SINGLE', defaultKeyType: 'PLAIN', singleQuote: true }),
  'narrow lines': (text) => printed(text, false, { lineWidth: 60 }),
  'long texts in blocks': (text) => inBlocks(text),
  'comments everywhere': (text) => text.replaceAll(/^( *)(?=[a-z_]+:)/gmu, '$1# What follows is meant so.\n$1'),
  'blank lines everywhere': (text) => text.replaceAll('\n', '\n\n'),
  'CR LF': (text) => text.replaceAll('\n', '\r\n'),
  'no line end': (text) => text.trimEnd(),
  'marks of a document': (text) => `%YAML 1.2\n---\n${text}...\n`,
  JSON: (text) => `${JSON.stringify(parseDocument(text).toJS(), null, 2)}\n`,
  'JSON on one line': (text) => JSON.stringify(parseDocument(text).toJS()),
} // prettier-ignore

export const STYLE_NAMES = Object.keys(STYLES)

/** A manifest in one style. */
export function styled(name: string, source: string, style: string): Styled {
  const text = STYLES[style]!(source)
  const isJson = style.startsWith('JSON')
  const isBlock = !isJson && style !== 'flow below capabilities' && style !== 'CR LF'
  return { name: `${name}, ${style}`, text, sites: sitesOf(text), isBlock, isJson }
}

function printed(text: string, isFlow: boolean, options: object): string {
  const document = parseDocument(text)
  const isKept = (depth: number): boolean => isFlow && depth > 3
  visit(document, {
    Collection: (_, node, path) => {
      node.flow = isKept(path.length)
    },
    Scalar: (key, node) => {
      if (typeof node.value === 'string' && key !== 'key' && 'defaultStringType' in options) delete node.type
    },
  })
  return document.toString({ lineWidth: 120, flowCollectionPadding: true, ...options })
}

function inBlocks(text: string): string {
  const document: Document = parseDocument(text)
  visit(document, {
    Collection: (_, node) => {
      node.flow = false
    },
    Pair: (_, { key, value }) => {
      if (String(key) === 'description' && value !== null && typeof value === 'object' && 'type' in value)
        (value as { type: string }).type = 'BLOCK_LITERAL'
    },
  })
  return document.toString({ lineWidth: 0 })
}
