import type { TemplateValues } from '../template-values.js'
import { kindOfExpression, itemKindOf, mustAsk, mustPrint, onlyParam } from './expressions.js'
import { kindsOf, refuseAt, type NamedKinds, type TemplatePlace, type ValueKind } from './kinds.js'

/** A template as it was read. */
export interface ParsedTemplate {
  readonly file: string
  readonly program: hbs.AST.Program
}

export type Partials = ReadonlyMap<string, ParsedTemplate>

interface Scope extends TemplatePlace {
  readonly partials: Partials
  /** The partials around, by name: one that includes itself would have no end. */
  readonly open: readonly string[]
  /** Prints the content for `{{> @partial-block}}`. */
  readonly block: (() => void) | undefined
  /** At most so many times is the place printed. */
  readonly times: number
  /** Output characters left for the whole template. */
  readonly budget: { left: number }
}

const MOST_PRINTED = 16 * 1024 * 1024
/** No list of values is longer. */
const LONGEST_LIST = 16

/**
 * Refuses a template that speaks of what has no value, wherever it does, in branches that are not taken too; with its
 * line. What it prints is bounded.
 */
export function checkTemplate({ file, program }: ParsedTemplate, partials: Partials, values: TemplateValues): void {
  const root = kindsOf(values)
  checkProgram(program, {
    file,
    root,
    context: root,
    outer: undefined,
    params: new Map(),
    isLoop: false,
    partials,
    open: [],
    block: undefined,
    times: 1,
    budget: { left: MOST_PRINTED },
  })
}

function checkProgram(program: hbs.AST.Program | undefined, scope: Scope): void {
  const body = program?.body ?? []
  const inline = body.flatMap((each) => (each.type === 'DecoratorBlock' ? [inlinePartial(each, scope)] : []))
  const within = inline.length === 0 ? scope : { ...scope, partials: new Map([...scope.partials, ...inline]) }
  for (const statement of body) checkStatement(statement, within)
}

/** `{{#*inline "name"}}`, whose names are looked at where it is included. */
function inlinePartial(statement: hbs.AST.Statement, scope: Scope): readonly [string, ParsedTemplate] {
  const { path, params, program } = statement as hbs.AST.DecoratorBlock
  const [name] = params
  if (path.original !== 'inline' || name?.type !== 'StringLiteral')
    return refuseAt(scope, statement, 'Of decorators there is {{#*inline "name"}}.')
  return [(name as hbs.AST.StringLiteral).value, { file: scope.file, program }]
}

function checkStatement(statement: hbs.AST.Statement, scope: Scope): void {
  spend(statement, scope)
  switch (statement.type) {
    case 'ContentStatement':
    case 'CommentStatement':
    case 'DecoratorBlock':
      return
    case 'MustacheStatement':
      return mustPrint(statement as hbs.AST.MustacheStatement, scope)
    case 'BlockStatement':
      return checkBlock(statement as hbs.AST.BlockStatement, scope)
    case 'PartialStatement':
    case 'PartialBlockStatement':
      return checkPartial(statement as hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement, scope)
    default:
      return refuseAt(scope, statement, 'Of decorators there is {{#*inline "name"}}.')
  }
}

function spend(statement: hbs.AST.Statement, scope: Scope): void {
  const { value } = statement as hbs.AST.ContentStatement
  scope.budget.left -= scope.times * (1 + (typeof value === 'string' ? value.length : 0))
  if (scope.budget.left < 0) refuseAt(scope, statement, 'The template could print more than 16 MiB.')
}

function checkBlock(statement: hbs.AST.BlockStatement, scope: Scope): void {
  const { path, program, inverse } = statement
  checkProgram(program, insideOf(path.original, statement, scope))
  checkProgram(inverse, scope)
}

function insideOf(block: string, statement: hbs.AST.BlockStatement, scope: Scope): Scope {
  const names = statement.program?.blockParams ?? []
  if ((block === 'if' || block === 'unless') && names.length === 0) {
    mustAsk(statement, scope)
    return scope
  }
  if (block === 'with' && names.length < 2) {
    const kind = kindOfExpression(onlyParam(statement, scope), scope)
    return { ...scope, context: kind, outer: scope, params: withNames(scope.params, names, [kind]) }
  }
  if (block !== 'each' || names.length > 2)
    return refuseAt(scope, statement, `There is no block ${block}; there are if, unless, each and with.`)
  const item = itemKindOf(statement, scope)
  const params = withNames(scope.params, names, [item, 'text'])
  return { ...scope, context: item, outer: scope, params, isLoop: true, times: scope.times * LONGEST_LIST }
}

const withNames = (params: NamedKinds, names: readonly string[], kinds: readonly ValueKind[]): NamedKinds =>
  new Map([...params, ...names.map((name, at) => [name, kinds[at]!] as const)])

type PartialCall = hbs.AST.PartialStatement | hbs.AST.PartialBlockStatement

function checkPartial(statement: PartialCall, scope: Scope): void {
  const { original: name } = statement.name as hbs.AST.PathExpression
  const block = 'program' in statement ? () => checkProgram(statement.program, scope) : undefined
  if (name === '@partial-block') return scope.block?.()
  const partial = scope.partials.get(name)
  if (partial === undefined)
    return block === undefined ? refuseAt(scope, statement, noPartial(name, scope)) : block()
  if (scope.open.includes(name)) return refuseAt(scope, statement, `The partial ${name} includes itself.`)
  const context = contextOf(statement, scope)
  const [outer, params, open] = [undefined, new Map<string, ValueKind>(), [...scope.open, name]]
  checkProgram(partial.program, { ...scope, file: partial.file, context, outer, params, block, open })
}

/** Returns the context of a partial: `{{> name value}}`, or its own names as in `{{> name title="a"}}`. */
function contextOf(statement: PartialCall, scope: Scope): ValueKind {
  const { params, hash } = statement
  const [given] = params
  if (params.length > 1) return refuseAt(scope, statement, 'A partial is given one value, and names: title="a".')
  const context = given === undefined ? scope.context : kindOfExpression(given, scope)
  if (hash === undefined) return context
  const pairs = hash.pairs.map(({ key, value }) => [key, kindOfExpression(value, scope)] as const)
  return new Map([...(typeof context === 'object' ? context : []), ...pairs])
}

const noPartial = (name: string | undefined, { partials }: Scope): string =>
  name === undefined
    ? 'A partial is included by its name, which is written out.'
    : `There is no partial ${name}: it would be partials/${name}.tmpl of the template. There are ` +
      `${[...partials.keys()].join(', ') || 'none'}.`
