/**
 * Reads and edits modules that the user owns, by ts-morph, which takes 300 ms to load: import this file only when a
 * plain look is not enough.
 */
import { existsSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { ModuleKind, ModuleResolutionKind, NewLineKind, Node, Project, type SourceFile, ScriptTarget } from 'ts-morph'

/** The names of the values that a module exports, those of `export *` from files of the project included. */
export function exportedNames(path: string): ReadonlySet<string> {
  const file = moduleAt(path)
  return new Set(file === undefined ? [] : namesOf(file))
}

/** The text of a module with lines after its last one, in the style of its exports; nothing else of it changes. */
export function withExports(path: string, lines: readonly string[]): string {
  const file = moduleAt(path)
  if (file === undefined) return lines.map((line) => `${line}\n`).join('')
  const text = file.getFullText()
  const start = text === '' || text.endsWith('\n') ? '' : '\n'
  const style = styleOf(file)
  const newLineKind = text.includes('\r\n') ? NewLineKind.CarriageReturnLineFeed : NewLineKind.LineFeed
  file.getProject().manipulationSettings.set({ newLineKind })
  file.insertText(file.getEnd(), start + lines.map((line) => `${style(line)}\n`).join(''))
  return byteOrderMarkOf(path) + file.getFullText()
}

const BOM = '\uFEFF'
const byteOrderMarkOf = (path: string): string => (readFileSync(path, 'utf8').startsWith(BOM) ? BOM : '')

/** Only the files that are asked for are read: no library, and none that a module imports. */
const OPTIONS = {
  noResolve: true,
  module: ModuleKind.NodeNext,
  moduleResolution: ModuleResolutionKind.NodeNext,
  target: ScriptTarget.ES2023,
}

function moduleAt(path: string): SourceFile | undefined {
  const project = new Project({
    skipAddingFilesFromTsConfig: true,
    skipFileDependencyResolution: true,
    skipLoadingLibFiles: true,
    compilerOptions: OPTIONS,
  })
  const file = existsSync(path) ? project.addSourceFileAtPath(resolve(path)) : undefined
  if (file !== undefined) addReexported(project, file)
  return file
}

/** Adds what `export *` of a module leads to, so that its names are known. */
function addReexported(project: Project, file: SourceFile): void {
  for (const declaration of file.getExportDeclarations()) {
    if (!declaration.isNamespaceExport() || !declaration.isModuleSpecifierRelative()) continue
    const target = resolve(file.getDirectoryPath(), declaration.getModuleSpecifierValue()!).replace(/\.js$/u, '.ts')
    if (project.getSourceFile(target) !== undefined) continue
    const added = project.addSourceFileAtPathIfExists(target)
    if (added !== undefined) addReexported(project, added)
  }
}

const namesOf = (file: SourceFile): readonly string[] =>
  file
    .getExportSymbols()
    .filter((symbol) => symbol.getDeclarations().some(isValue))
    .map((symbol) => symbol.getName())

/** Holds for what is there at run time; of a name from elsewhere, that it is no `export type`. */
function isValue(declaration: Node): boolean {
  if (Node.isExportSpecifier(declaration))
    return !declaration.isTypeOnly() && !declaration.getExportDeclaration().isTypeOnly()
  return !Node.isInterfaceDeclaration(declaration) && !Node.isTypeAliasDeclaration(declaration)
}

/** Writes a line as the exports of a module are written: their quotes, their semicolons. */
function styleOf(file: SourceFile): (line: string) => string {
  const last = file.getExportDeclarations().findLast((each) => each.hasModuleSpecifier())
  const quote = last?.getModuleSpecifier()?.getQuoteKind() ?? "'"
  const semicolon = last?.getText().endsWith(';') === true ? ';' : ''
  return (line) => line.replaceAll("'", quote) + semicolon
}
