/** Returns the declarations of a module whose exports are all annotated, without looking at any other. */
export async function typeDeclarationsOf(path: string, text: string): Promise<string> {
  const { ts } = await import('ts-morph')
  return ts.transpileDeclaration(text, { fileName: path, compilerOptions: { target: ts.ScriptTarget.ES2023 } })
    .outputText
}
