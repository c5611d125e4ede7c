import { CliError } from '../../shared/errors/cli-error.js'
import type { TemplateValues } from '../template-values.js'

/** Kind of a template name; `any` is a text or a choice. */
export type ValueKind = 'text' | 'choice' | 'list' | 'any' | NamedKinds
export type NamedKinds = ReadonlyMap<string, ValueKind>

export const kindsOf = (values: TemplateValues): NamedKinds =>
  new Map(Object.entries(values).map(([name, value]) => [name, kindOfValue(value)]))

const kindOfValue = (value: TemplateValues[string]): ValueKind =>
  typeof value === 'string' ? 'text' : typeof value === 'boolean' ? 'choice' : 'list'

/** A place of a template: what it may speak of there. */
export interface TemplatePlace {
  readonly file: string
  readonly root: NamedKinds
  readonly context: ValueKind
  /** Around the loop or `with` that the place is in. */
  readonly outer: TemplatePlace | undefined
  /** Names after `as` of the blocks around. */
  readonly params: NamedKinds
  readonly isLoop: boolean
}

/** Refuses a template, with its file and line. */
export function refuseAt({ file }: TemplatePlace, { loc }: hbs.AST.Node, problem: string): never {
  throw new CliError(`${file}: line ${loc.start.line}: ${problem}`)
}

/** The kind of what a path of a template names there. */
export function kindOfPath(path: hbs.AST.PathExpression, place: TemplatePlace): ValueKind {
  const [head, ...rest] = path.parts
  if (path.data) return reached(dataKind(head!, path, place), rest, path, place)
  const param = path.depth === 0 && !isScoped(path) ? place.params.get(head!) : undefined
  if (param !== undefined) return reached(param, rest, path, place)
  return reached(contextAbove(path, place), path.parts, path, place)
}

/** Paths from where they are: `this.name`, `./name`, `../name`. */
const isScoped = ({ original }: hbs.AST.PathExpression): boolean => /^\.|this\b/u.test(original)

const LOOP_DATA: NamedKinds = new Map([
  ['index', 'text'],
  ['key', 'text'],
  ['first', 'choice'],
  ['last', 'choice'],
])

function dataKind(name: string, path: hbs.AST.PathExpression, place: TemplatePlace): ValueKind {
  if (name === 'root') return place.root
  if (name === 'partial-block') return 'choice'
  return (place.isLoop ? LOOP_DATA.get(name) : undefined) ?? unknownName(path, place)
}

function contextAbove(path: hbs.AST.PathExpression, place: TemplatePlace): ValueKind {
  let at: TemplatePlace | undefined = place
  for (let depth = path.depth; depth > 0; depth -= 1) at = at?.outer
  return at?.context ?? unknownName(path, place)
}

const reached = (
  from: ValueKind,
  parts: readonly string[],
  path: hbs.AST.PathExpression,
  place: TemplatePlace,
): ValueKind => parts.reduce((kind: ValueKind, part) => memberOf(kind, part) ?? unknownName(path, place), from)

function memberOf(kind: ValueKind, part: string): ValueKind | undefined {
  if (typeof kind === 'object') return kind.get(part)
  return kind === 'list' && part === 'length' ? 'any' : undefined
}

export function unknownName({ original, ...node }: hbs.AST.PathExpression, place: TemplatePlace): never {
  const known = [...place.root].map(([name, kind]) => usageOf(name, kind))
  return refuseAt(
    place,
    node,
    `The template speaks of ${original}, which has no value. There are ${known.join(', ')}.`,
  )
}

/** An expression that prints, asks or loops, as the kind of the name wants. */
export function usageOf(name: string, kind: ValueKind): string {
  if (kind === 'choice') return `{{#if ${name}}}`
  return kind === 'list' ? `{{#each ${name}}}` : `{{${name}}}`
}
