import { isTextHelper, TEXT_HELPERS } from './text-helpers.js'
import { kindOfPath, refuseAt, unknownName, usageOf, type TemplatePlace, type ValueKind } from './kinds.js'

/** Expression that calls a helper or names a value. */
type Call = hbs.AST.MustacheStatement | hbs.AST.SubExpression

/** Refuses to print what is no text. */
export function mustPrint(statement: hbs.AST.MustacheStatement, place: TemplatePlace): void {
  const kind = kindOfCall(statement, place)
  if (kind === 'text' || kind === 'any') return
  const name = originalOf(statement.path)
  if (typeof kind === 'object') refuseAt(place, statement, `${name} is all names at once: print one of them.`)
  const [what, how] = kind === 'choice' ? ['a choice', 'ask for it with'] : ['a list', 'loop over it with']
  refuseAt(place, statement, `${name} is ${what}: ${how} ${usageOf(name, kind)}.`)
}

/** Refuses to ask for what is no choice: a text is always there. */
export function mustAsk(statement: hbs.AST.BlockStatement, place: TemplatePlace): void {
  const asked = onlyParam(statement, place)
  const kind = kindOfExpression(asked, place)
  if (kind === 'choice' || kind === 'list' || kind === 'any') return
  const name = originalOf(asked)
  refuseAt(
    place,
    statement,
    kind === 'text'
      ? `${name} is a text, not a choice: print it with {{${name}}}.`
      : `${name} is all names at once, not a choice.`,
  )
}

/** The kind of the items that a block loops over. */
export function itemKindOf(statement: hbs.AST.BlockStatement, place: TemplatePlace): ValueKind {
  const list = onlyParam(statement, place)
  const kind = kindOfExpression(list, place)
  if (kind === 'list') return 'text'
  if (typeof kind === 'object') return 'any'
  return refuseAt(place, statement, `${originalOf(list)} is no list.`)
}

export function onlyParam(statement: hbs.AST.BlockStatement, place: TemplatePlace): hbs.AST.Expression {
  const [param, ...more] = statement.params
  if (param !== undefined && more.length === 0 && statement.hash === undefined) return param
  return refuseAt(place, statement, `The block ${statement.path.original} takes one value.`)
}

const LITERALS: { readonly [type: string]: ValueKind } = {
  StringLiteral: 'text',
  NumberLiteral: 'text',
  BooleanLiteral: 'choice',
}

export function kindOfExpression(expression: hbs.AST.Expression, place: TemplatePlace): ValueKind {
  if (expression.type === 'PathExpression') return kindOfPath(expression as hbs.AST.PathExpression, place)
  if (expression.type === 'SubExpression') return kindOfCall(expression as hbs.AST.SubExpression, place)
  return LITERALS[expression.type] ?? refuseAt(place, expression, `${originalOf(expression)} is no value.`)
}

function kindOfCall(call: Call, place: TemplatePlace): ValueKind {
  const { params, hash } = call
  const path = call.path as hbs.AST.PathExpression
  if (path.type !== 'PathExpression') return refuseAt(place, call, `${originalOf(path)} is no name.`)
  if (path.original === 'lookup' && params.length === 2 && hash === undefined) return kindOfLookup(call, place)
  if (isTextHelper(path.original) && params.length === 1 && hash === undefined) return kindOfText(call, place)
  if (params.length === 0 && hash === undefined && call.type === 'MustacheStatement') return kindOfPath(path, place)
  const helpers = ['lookup values name', ...Object.keys(TEXT_HELPERS).map((name) => `${name} text`)]
  return refuseAt(
    place,
    call,
    `There is no helper ${path.original} of such values; there are if, unless, each, with and ` +
      `${helpers.map((each) => `{{${each}}}`).join(', ')}.`,
  )
}

/** `{{upper name}}`: a text of a text. */
function kindOfText({ path, params }: Call, place: TemplatePlace): ValueKind {
  const [given] = params as [hbs.AST.Expression]
  const kind = kindOfExpression(given, place)
  if (kind === 'text') return 'text'
  return refuseAt(place, given, `The helper ${originalOf(path)} takes a text, and ${originalOf(given)} is none.`)
}

/** `{{lookup values name}}`; a name that is written out is looked at like any other. */
function kindOfLookup({ params, loc }: Call, place: TemplatePlace): ValueKind {
  const [values, name] = params as [hbs.AST.Expression, hbs.AST.Expression]
  const [from] = [kindOfExpression(values, place), kindOfExpression(name, place)]
  if (typeof from !== 'object' || name.type !== 'StringLiteral') return 'any'
  const { value } = name as hbs.AST.StringLiteral
  const path: hbs.AST.PathExpression = {
    type: 'PathExpression', data: false, depth: 0, parts: [value], original: value, loc,
  } // prettier-ignore
  return from.get(value) ?? unknownName(path, place)
}

const originalOf = (expression: hbs.AST.Expression): string =>
  String((expression as hbs.AST.PathExpression).original ?? 'This')
