import type { Report } from '../finding.js'
import { markFault, type ListNode, type MapNode, type ScalarNode, type Span, type YamlNode } from '../parse/tree.js'
import type { Field, Fields, Shape } from './field.js'
import { readScalar } from './read-scalar.js'
import type { Owner, ReadContext } from './reading.js'
import { absentFields, strayField, type Adopted } from './stray-fields.js'
import { ITEMS, NODE, OWNER } from './view.js'
import { wrongType } from './wrong-type.js'

/** The value of a node as the field allows it; undefined, and reported, if it does not. */
export function readValue(field: Field, node: YamlNode, owner: Owner, reading: ReadContext): unknown {
  if (node.kind === 'scalar' && node.broken) return undefined
  if (field.decision !== undefined && isUndecided(node)) return undecided(field.decision, node, owner, reading)
  switch (field.kind) {
    case 'object':
      return node.kind === 'map'
        ? readObject(field.shape, node, owner, reading)
        : wrongType(field, node, owner, reading)
    case 'map':
      return node.kind === 'map' ? readMap(field, node, owner, reading) : wrongType(field, node, owner, reading)
    case 'list':
      return node.kind === 'list' ? readList(field, node, owner, reading) : wrongType(field, node, owner, reading)
    case 'oneOf': {
      const option = field[node.kind]
      return option === undefined ? wrongType(field, node, owner, reading) : readValue(option, node, owner, reading)
    }
    case 'any':
      return readAny(field, node, owner, reading)
    default:
      return node.kind === 'scalar' ? readScalar(field, node, owner, reading) : wrongType(field, node, owner, reading)
  }
}

const isUndecided = (node: YamlNode): boolean =>
  node.kind === 'scalar'
    ? node.value === 'TODO'
    : node.kind === 'list' && node.items.length === 1 && isUndecided(node.items[0]!)

function undecided(decision: string, node: YamlNode, owner: Owner, { report }: ReadContext): undefined {
  report('SVC2013', node.kind === 'scalar' ? node : owner.span, `\`${owner.name}\` is still TODO. Decide ${decision}.`)
}

export function readObject(shape: Shape, node: MapNode, owner: Owner, reading: ReadContext): object {
  const view: { [field: string]: unknown; [NODE]: MapNode; [OWNER]: Span } = { [NODE]: node, [OWNER]: owner.span }
  const fields = shape.fields
  const isKnown = (key: ScalarNode): boolean => Object.hasOwn(fields, key.value as string)
  // What a stray one says of another field is known before that one is read.
  for (const [index, key] of node.keys.entries()) {
    const value = node.values[index]
    if (value === undefined || isKnown(key)) continue
    const adopted = strayField(shape, node, key, value, owner, reading)
    if (adopted !== undefined) keep(view, node, adopted.name, readAdopted(fields, adopted, key, value, reading))
    else if (shape.open) keepHint(view, key.value as string, value, owner, reading)
  }
  for (const [index, key] of node.keys.entries()) {
    const name = key.value as string
    const value = node.values[index]
    if (value === undefined || !isKnown(key)) continue
    if (fields[name]!.unenforced)
      reading.report('SVC0216', key, `\`${name}\` is published as it is written. svc does not enforce it.`)
    keep(view, node, name, readValue(fields[name]!, value, { span: key, name }, reading))
  }
  absentFields(shape, node, view, owner, reading)
  return view
}

/** Keeps a hint of an open object; `x-` keys are kept apart. */
function keepHint(
  view: { [field: string]: unknown },
  name: string,
  value: YamlNode,
  owner: Owner,
  reading: ReadContext,
): void {
  if (!name.startsWith('x-')) view[name] = readAny({ kind: 'any', mayBeNull: true }, value, owner, reading)
}

/** Reads a value by a guessed field: a value that does not fit is no second error. Its contents are still judged. */
function readAdopted(
  fields: Fields,
  { name, isGuess }: Adopted,
  key: ScalarNode,
  value: YamlNode,
  reading: ReadContext,
): unknown {
  const report: Report = (code, span, message, details) => {
    const isOfValue = value.kind === 'scalar' || span === key
    if (!isOfValue || details?.isCertain) reading.report(code, span, message, details)
  }
  return readValue(fields[name]!, value, { span: key, name }, isGuess ? { ...reading, report } : reading)
}

function keep(view: { [field: string]: unknown }, node: MapNode, name: string, value: unknown): void {
  if (value === undefined) markFault(node, name)
  else view[name] = value
}

function readMap(field: Field & { kind: 'map' }, node: MapNode, owner: Owner, reading: ReadContext): object {
  const view = Object.create(null) as { [key: string]: unknown; [NODE]: MapNode; [OWNER]: Span }
  view[NODE] = node
  view[OWNER] = owner.span
  if (field.min !== undefined && node.keys.length < field.min && node.faults === undefined)
    reading.report(
      field.codes?.few ?? 'SVC0207',
      owner.span,
      `\`${owner.name}\` is empty; it needs at least ${field.min}.`,
    )
  for (let index = 0; index < node.keys.length; index++) {
    const key = node.keys[index]!
    const value = node.values[index]
    if (value === undefined) continue
    if (field.keys !== undefined)
      readScalar(
        { kind: 'text', format: field.keys, ...(field.codes === undefined ? {} : { codes: field.codes }) },
        key,
        owner,
        reading,
      )
    const name = key.value as string
    keep(view, node, name, readValue(field.values, value, { span: key, name }, reading))
  }
  return view
}

function readList(
  field: Field & { kind: 'list' },
  node: ListNode,
  owner: Owner,
  reading: ReadContext,
): readonly unknown[] {
  const values: unknown[] = []
  const items: YamlNode[] = []
  if (field.min !== undefined && node.items.length < field.min)
    reading.report(
      field.codes?.few ?? 'SVC0207',
      owner.span,
      `\`${owner.name}\` is empty; it needs at least ${field.min === 1 ? 'one item' : `${field.min} items`}.`,
    )
  for (let index = 0; index < node.items.length; index++) {
    const item = node.items[index]!
    const value = readValue(field.items, item, { span: firstToken(item), name: `${owner.name}[${index}]` }, reading)
    if (value === undefined) continue
    values.push(value)
    items.push(item)
  }
  if (field.distinct) reportRepeats(values, items, owner, field.codes?.twice ?? 'SVC0208', reading)
  return Object.assign(values, { [NODE]: node, [OWNER]: owner.span, [ITEMS]: items })
}

/** Returns the token that names an item of a list: its first key, or the item itself. */
const firstToken = (node: YamlNode): Span => (node.kind === 'map' ? (node.keys[0] ?? node) : node)

function reportRepeats(
  values: readonly unknown[],
  items: readonly YamlNode[],
  owner: Owner,
  code: string,
  { report }: ReadContext,
): void {
  if (values.length < 2) return
  if (areFewAndDistinct(values)) return
  const first = new Map<string, YamlNode>()
  for (const [index, value] of values.entries()) {
    const text = JSON.stringify(value)
    const earlier = first.get(text)
    const span = items[index]!
    if (earlier === undefined) first.set(text, span)
    else
      report(
        code,
        span,
        `${typeof value === 'string' ? `\`${value}\`` : text} is listed twice in \`${owner.name}\`; remove one.`,
        {
          related: [{ span: earlier, message: 'It is listed here first.' }],
        },
      )
  }
}

/** Short lists of words are compared as they are. */
function areFewAndDistinct(values: readonly unknown[]): boolean {
  if (values.length > 8) return false
  return values.every((value, index) => typeof value !== 'object' && values.indexOf(value) === index)
}

/** Reads any value; null is allowed at every depth if it is allowed at the top. */
function readAny(field: Field & { kind: 'any' }, node: YamlNode, owner: Owner, reading: ReadContext): unknown {
  if (node.kind === 'scalar') return readScalar(field, node, owner, reading)
  const inside: Field = field.mayBeNull ? { kind: 'any', mayBeNull: true } : { kind: 'any' }
  if (node.kind === 'list') return readList({ kind: 'list', items: inside }, node, owner, reading)
  return readMap({ kind: 'map', values: inside }, node, owner, reading)
}
