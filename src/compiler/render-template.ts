import { parse, type AST } from '@handlebars/parser'

/** What a template may speak of: texts that it prints, choices that it asks for. */
export type TemplateValues = { readonly [name: string]: string | boolean }

type Statement = AST.ContentStatement | AST.CommentStatement | AST.MustacheStatement | AST.BlockStatement

/**
 * Fills in a template: Handlebars, of which `{{name}}`, `{{#if name}} … {{else}} … {{/if}}`, comments and whitespace
 * control. Nothing is escaped: a template makes source files. Throws for anything else, which is a fault of the
 * template.
 */
export const renderTemplate = (template: string, values: TemplateValues): string => print(parsed(template), values)

function parsed(template: string): AST.Program {
  try {
    return parse(template)
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new Error(`The template does not read as Handlebars: ${why.replace(/:$/u, '')}.`, { cause: error })
  }
}

const print = (program: AST.Program, values: TemplateValues): string =>
  program.body.map((statement: AST.Statement) => printStatement(statement as Statement, values)).join('')

function printStatement(statement: Statement, values: TemplateValues): string {
  switch (statement.type) {
    case 'ContentStatement':
      return statement.value
    case 'CommentStatement':
      return ''
    case 'MustacheStatement':
      return textOf(statement, values)
    case 'BlockStatement':
      return chosen(statement, values)
    default:
      return unknown(statement)
  }
}

function textOf(statement: AST.MustacheStatement, values: TemplateValues): string {
  const { path, params, hash, escaped } = statement
  const name = nameOf(path)
  if (name === undefined || params.length > 0 || hash !== undefined || !escaped) return unknown(statement)
  const value = valueOf(name, values, statement)
  if (typeof value === 'string') return value
  throw new Error(`${lineOf(statement)}: ${name} is a choice: ask for it with {{#if ${name}}}.`)
}

/** Both branches are printed, so that a name without a value is found whatever is chosen. */
function chosen(statement: AST.BlockStatement, values: TemplateValues): string {
  const { path, params, hash, program } = statement
  const [condition, ...more] = params
  const name = condition === undefined ? undefined : nameOf(condition)
  const isIf = path.original === 'if' && name !== undefined && more.length === 0 && hash === undefined
  if (!isIf || program === undefined || program.blockParams !== undefined) return unknown(statement)
  const value = valueOf(name, values, statement)
  if (typeof value !== 'boolean')
    throw new Error(`${lineOf(statement)}: ${name} is a text, not a choice: print it with {{${name}}}.`)
  const inverse = statement.inverse as AST.Program | undefined
  const [then, otherwise] = [print(program, values), inverse === undefined ? '' : print(inverse, values)]
  return value ? then : otherwise
}

function nameOf(expression: AST.Expression): string | undefined {
  if (expression.type !== 'PathExpression') return undefined
  const { data, depth, parts, original } = expression as AST.PathExpression
  return !data && depth === 0 && parts.length === 1 && parts[0] === original ? original : undefined
}

function valueOf(name: string, values: TemplateValues, statement: AST.Statement): string | boolean {
  if (Object.hasOwn(values, name)) return values[name]!
  throw new Error(`${lineOf(statement)}: The template speaks of ${name}, which has no value.`)
}

function unknown(statement: AST.Statement): never {
  throw new Error(
    `${lineOf(statement)}: A template knows {{name}}, {{#if name}} … {{else}} … {{/if}} and {{! comments }}, and ` +
      'no other expression.',
  )
}

const lineOf = ({ loc }: AST.Statement): string => `line ${loc.start.line}`
