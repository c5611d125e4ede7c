import type { ts as TypeScript } from 'ts-morph'
import { CliError } from '../shared/errors/cli-error.js'

type Compiler = typeof TypeScript

/** JavaScript of a TypeScript module. */
export interface Stripped {
  readonly code: string
  readonly map: string
}

/** A module whose types go, and whether its comments stay. */
export interface TypedModule {
  readonly path: string
  readonly text: string
  readonly keepsComments: boolean
}

export interface Strip {
  readonly strip: (module: TypedModule) => Stripped
  /** Strips many modules that are asked for soon: each by itself costs twice as much. */
  readonly ahead: (modules: readonly TypedModule[]) => void
}

/** Removes types, without checking any. A module that is not TypeScript is a `CliError`. */
export function newStrip(ts: Compiler): Strip {
  const made = new Map<string, Stripped>()
  return {
    ahead: (modules) => {
      for (const keepsComments of [true, false]) {
        const own = modules.filter((each) => each.keepsComments === keepsComments)
        for (const [module, stripped] of strippedAtOnce(ts, own, keepsComments)) made.set(keyOf(module), stripped)
      }
    },
    strip: (module) => {
      const key = keyOf(module)
      const known = made.get(key)
      made.delete(key)
      return known ?? strippedAlone(ts, module)
    },
  }
}

const keyOf = ({ path, text, keepsComments }: TypedModule): string => `${keepsComments}\0${path}\0${text}`

const optionsOf = (ts: Compiler, keepsComments: boolean) => ({
  target: ts.ScriptTarget.ES2023,
  module: ts.ModuleKind.ESNext,
  verbatimModuleSyntax: true,
  sourceMap: keepsComments,
  removeComments: !keepsComments,
})

function strippedAlone(ts: Compiler, { path, text, keepsComments }: TypedModule): Stripped {
  const { outputText, sourceMapText, diagnostics } = ts.transpileModule(text, {
    compilerOptions: optionsOf(ts, keepsComments),
    fileName: path,
    reportDiagnostics: true,
  })
  refuseBrokenSyntax(path, text, diagnostics?.[0])
  return { code: withoutLink(outputText), map: sourceMapText ?? '' }
}

/** Modules as `transpileModule` makes them, by one compiler; none with errors. */
function* strippedAtOnce(
  ts: Compiler,
  modules: readonly TypedModule[],
  keepsComments: boolean,
): Generator<readonly [TypedModule, Stripped]> {
  const texts = new Map(modules.map(({ path, text }) => [path, text]))
  const options = {
    ...optionsOf(ts, keepsComments),
    isolatedModules: true, noLib: true, noResolve: true, noCheck: true, suppressOutputPathCheck: true, allowNonTsExtensions: true,
  } // prettier-ignore
  const program = ts.createProgram([...texts.keys()], options, hostOf(ts, texts))
  const written = new Map<string, string>()
  for (const module of modules) {
    const file = program.getSourceFile(module.path)
    if (file === undefined || program.getSyntacticDiagnostics(file).length > 0) continue
    program.emit(file, (name, text) => written.set(name, text))
    const name = module.path.replace(/\.ts$/u, '.js')
    const code = written.get(name)
    if (code !== undefined) yield [module, { code: withoutLink(code), map: written.get(`${name}.map`) ?? '' }]
    written.clear()
  }
}

const hostOf = (ts: Compiler, texts: ReadonlyMap<string, string>): TypeScript.CompilerHost => ({
  getSourceFile: (name, target) => {
    const text = texts.get(name)
    return text === undefined ? undefined : ts.createSourceFile(name, text, target)
  },
  fileExists: (name) => texts.has(name),
  readFile: (name) => texts.get(name),
  writeFile: () => undefined,
  getDefaultLibFileName: () => 'lib.d.ts',
  getCurrentDirectory: () => '',
  getCanonicalFileName: (name) => name,
  useCaseSensitiveFileNames: () => true,
  getNewLine: () => '\n',
})

/** Removes the source map link that a TypeScript compiler writes at the end of each module. */
export const withoutLink = (code: string): string => code.replaceAll(/^\/\/# sourceMappingURL=.*\n?/gmu, '')

function refuseBrokenSyntax(path: string, text: string, broken: TypeScript.Diagnostic | undefined): void {
  if (broken === undefined) return
  const before = text.slice(0, broken.start ?? 0).split('\n')
  const { messageText: said } = broken
  const why = typeof said === 'string' ? said : said.messageText
  throw new CliError(`${path}:${before.length}:${(before.at(-1) ?? '').length + 1} ${why}`)
}
