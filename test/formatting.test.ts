import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ts } from 'ts-morph'
import { expect, it } from 'vitest'

const MARK = 'prettier-ignore'

const sources = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))

it('keeps the formatter away from tables only, never from code', () => {
  expect(sources.flatMap((file) => keptAway(join('src', file)))).toEqual([])
})

/** The first line of each statement that a comment keeps from the formatter, and that is no table. */
function keptAway(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8')
  if (!text.includes(MARK)) return []
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  const isMarked = (node: ts.Node): boolean =>
    [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ].some(({ pos, end }) => text.slice(pos, end).includes(MARK))
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if ((ts.isStatement(node) || ts.isClassElement(node)) && isMarked(node) && !isTable(node))
      found.push(`${file}: ${node.getText().split('\n')[0]}`)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(source, visit)
  return found
}

/** Data whose rows are aligned: a list, an object, a map or set of them, a type, or a row made by a function. */
function isTable(node: ts.Node): boolean {
  if (!ts.isVariableStatement(node)) return ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)
  const initializer = node.declarationList.declarations[0]?.initializer
  return initializer !== undefined && !ts.isFunctionLike(initializer) && !ts.isTemplateLiteral(initializer)
}
