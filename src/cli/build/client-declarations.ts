import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { EmittedFile } from '../../compiler/emitted.js'
import type { Remember } from '../../compiler/plan/memo.js'
import { bodyOf } from '../bundle/generated-body.js'
import { packageRoot } from '../shared/files/package-root.js'

/** The generated modules that are an entry of the package. */
const ENTRIES = ['generated/client', 'generated/tools'] as const
/** Types leave nothing in JavaScript, and are declarations as they stand. */
const isType = (path: string): boolean => /^generated\/(?:types|values)[./]/u.test(path)

/** Declarations of the client, of its tools and of stdio, and all that they refer to: they import nothing from elsewhere. */
export async function clientDeclarations(
  generated: readonly EmittedFile[],
  remember: Remember,
): Promise<readonly EmittedFile[]> {
  const { typeDeclarationsOf } = await import('../bundle/type-declarations.js')
  const texts = new Map(generated.map(({ path, text }) => [path, text]))
  const declared = reachedFrom(ENTRIES, (path) => texts.get(`${path}.ts`)!).map(async ([module, text]) => {
    const path = `${module}.ts`
    const name = module.slice('generated/'.length)
    const declarations = isType(path)
      ? text
      : remember(`declarations of ${path}`, [bodyOf(text)], () => typeDeclarationsOf(path, bodyOf(text)))
    return ours(`dist/client/${name}.d.ts`, withOwnTypes(await declarations, name))
  })
  const files = await Promise.all(declared)
  return [
    ours('dist/client/index.d.ts', indexText(files)),
    ours('dist/client/stdio.d.ts', "export * from './svc-kit/client/stdio.js'\n"),
    ...files,
    ...ownTypes(),
  ]
}

/** Exports the generated client, and of the fixed core what the author has given no type of the same name, as `Money`. */
function indexText(declared: readonly EmittedFile[]): string {
  const taken = new Set(declared.flatMap(({ text }) => [...text.matchAll(DECLARED)].map(([, name]) => name)))
  const names = [...coreText('client/index.d.ts').matchAll(EXPORTED)].flatMap(([, list = '']) => namesIn(list))
  const free = names.filter((name) => !taken.has(name)).toSorted()
  return `export * from './client.js'\nexport type {\n  ${free.join(',\n  ')},\n} from './svc-kit/client/index.js'\n`
}

const DECLARED = /^export (?:declare )?(?:interface|type|const|function|class) (\w+)/gmu
const EXPORTED = /^export (?:type )?\{([^}]*)\} from/gmu

const namesIn = (list: string): readonly string[] =>
  list.split(',').flatMap((each) => each.trim().replace(/^type /u, '') || [])

const ours = (path: string, text: string): EmittedFile => ({ path, text, ownership: 'generated' })

/** The types of the fixed core stand beside the generated ones, in a folder of their own. */
const withOwnTypes = (declarations: string, name: string): string => {
  const up = name.includes('/') ? '..' : '.'
  return declarations.replaceAll(/(from\s+['"])svc-kit\/client(['"])/gu, `$1${up}/svc-kit/client/index.js$2`)
}

/** The declarations of the fixed core. */
const ownTypes = (): readonly EmittedFile[] =>
  reachedFrom(['client/index', 'client/stdio'], (path) => coreText(`${path}.d.ts`)).map(([path, text]) =>
    ours(`dist/client/svc-kit/${path}.d.ts`, text),
  )

const IMPORTED = /(?:from\s+|import\()['"](\.[^'"]+)\.js['"]/gu

/** Modules, and whatever they refer to by a relative path, each with its text. */
function reachedFrom(
  entries: readonly string[],
  textOf: (path: string) => string,
): readonly (readonly [path: string, text: string])[] {
  const found = new Map<string, string>()
  const add = (path: string): void => {
    if (found.has(path)) return
    const text = textOf(path)
    found.set(path, text)
    for (const [, target = ''] of text.matchAll(IMPORTED)) add(posix.join(dirname(path), target))
  }
  entries.forEach(add)
  return [...found]
}

/** A compiled file of this package, without what leads to its source. */
export const coreText = (path: string): string =>
  readFileSync(join(packageRoot(), 'dist', path), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/u, '\n')
