import { readDocument } from '../parse/read-document.js'
import type { YamlNode } from '../parse/tree.js'
import { sentenceOf, type Field, type Shape } from '../shape/field.js'
import { formatOf } from '../shape/formats.js'
import { CHECKED_INPUT_TYPES } from '../../protocol/words.js'
import { tokensOf, type LocatedToken } from './locate.js'
import { capabilityNamed, declarationsOf, memberTexts, namesCapability, scopeNames } from './names.js'

export interface Proposal {
  readonly label: string
  readonly kind: 'field' | 'value'
  readonly detail?: string
  readonly insert: string
}

const CURSOR = 'zzcursorzz'

/**
 * What may be written at an offset. The word at the cursor need not be YAML yet. `others`: the other files of the
 * manifest.
 */
export function completionsAt(text: string, offset: number, others: readonly YamlNode[] = []): readonly Proposal[] {
  for (const attempt of attempts(text, offset)) {
    const root = readDocument({ file: 'editor', text: attempt, base: 0 }, () => undefined)
    const token = root === undefined ? undefined : [...tokensOf(root)].find(({ node }) => node.value === CURSOR)
    if (root !== undefined && token !== undefined) return proposalsFor([root, ...others], token)
  }
  return []
}

/** The text with the word at the cursor as a value, and as a key. */
function attempts(text: string, offset: number): readonly string[] {
  const before = /[\w.$-]*$/u.exec(text.slice(0, offset))?.[0] ?? ''
  const after = /^[\w.$-]*/u.exec(text.slice(offset))?.[0] ?? ''
  const head = text.slice(0, offset - before.length)
  const tail = text.slice(offset + after.length)
  const startsLine = /(?:^|\n)\s*(?:- +)?$/u.test(head) || /[{,]\s*$/u.test(head)
  const asValue = `${head}${CURSOR}${tail}`
  const asKey = `${head}${CURSOR}: 0${tail}`
  return startsLine && !/^\s*:/u.test(tail) ? [asKey, asValue] : [asValue]
}

function proposalsFor(roots: readonly YamlNode[], token: LocatedToken): readonly Proposal[] {
  if (token.isKey) return token.shape === undefined ? itemProposals(roots, token) : fieldProposals(token.shape, token)
  return valueProposals(roots, token, token.field)
}

/** A key that stands where a list of texts is expected is an item that is not finished. */
function itemProposals(roots: readonly YamlNode[], token: LocatedToken): readonly Proposal[] {
  return valueProposals(roots, { ...token, isKey: false, path: token.path.slice(0, -1) }, undefined)
}

function fieldProposals({ fields }: Shape, { map }: LocatedToken): readonly Proposal[] {
  const present = new Set(map?.keys.map(({ value }) => value))
  return Object.entries(fields).flatMap(([label, field]) => {
    if (present.has(label)) return []
    return [
      {
        label,
        kind: 'field' as const,
        insert: `${label}: `,
        ...(field.about === undefined ? {} : { detail: sentenceOf(field) }),
      },
    ]
  })
}

function valueProposals(
  roots: readonly YamlNode[],
  token: LocatedToken,
  field: Field | undefined,
): readonly Proposal[] {
  const option = field?.kind === 'oneOf' ? field.scalar : field
  if (option?.kind === 'word') return values(option.words)
  if (option?.kind === 'flag') return values(['true', 'false'])
  if (namesCapability(token)) return values(declarationsOf(roots).map(({ value }) => String(value)))
  const { path } = token
  if (path.includes('minimum_scope')) return values(scopeNames(roots).filter((scope) => scope !== CURSOR))
  const capability = capabilityNamed(roots, path[1] ?? '')
  if (
    path.at(-2) === 'fields_logged' ||
    (path.at(-1) === 'field' && path.includes('requires_binding')) ||
    path.at(-2) === 'x-exclusive-by'
  )
    return values(memberTexts(capability, ['inputs'], 'name').map(({ value }) => String(value)))
  if (path.includes('input_mapping') || path.includes('output_mapping')) return values(pathsOf(roots, path[1] ?? ''))
  if (path.at(-1) === 'authority_boundary') return values(['same_service'])
  if (path.at(-1) === 'type' && path.includes('inputs')) return values(CHECKED_INPUT_TYPES)
  return option?.kind === 'text' && option.format !== undefined ? values(formatOf(option.format).examples) : []
}

/** The parent inputs and the output fields of steps, as paths. */
function pathsOf(roots: readonly YamlNode[], name: string): readonly string[] {
  const capability = capabilityNamed(roots, name)
  const inputs = memberTexts(capability, ['inputs'], 'name').map(({ value }) => `$.input.${String(value)}`)
  const ids = memberTexts(capability, ['composition', 'steps'], 'id')
  const children = memberTexts(capability, ['composition', 'steps'], 'capability')
  const outputs = ids.flatMap(({ value: id }, index) => {
    const child = capabilityNamed(roots, String(children[index]?.value))
    return memberTexts(child, ['output', 'fields'], 'name').map(
      ({ value }) => `$.steps.${String(id)}.output.${String(value)}`,
    )
  })
  return [...inputs, ...outputs]
}

const values = (words: readonly string[]): readonly Proposal[] =>
  [...new Set(words)].filter((word) => word !== CURSOR).map((label) => ({ label, kind: 'value', insert: label }))
