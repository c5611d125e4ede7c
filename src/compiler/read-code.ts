import { ts } from 'ts-morph'

/** The names that a module exports, as its text says; `export *` names none. */
export function exportedNames(text: string): readonly string[] {
  const file = ts.createSourceFile('module.ts', text, ts.ScriptTarget.ES2023, false)
  return file.statements.flatMap(namesOf)
}

function namesOf(statement: ts.Statement): readonly string[] {
  if (ts.isExportDeclaration(statement))
    return statement.exportClause !== undefined && ts.isNamedExports(statement.exportClause)
      ? statement.exportClause.elements.map(({ name }) => name.text)
      : []
  if (!isExported(statement)) return []
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : []))
  return ts.isFunctionDeclaration(statement) && statement.name !== undefined ? [statement.name.text] : []
}

const isExported = (statement: ts.Statement): boolean =>
  ts.canHaveModifiers(statement) &&
  (ts.getModifiers(statement) ?? []).some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)
