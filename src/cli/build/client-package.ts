import { readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import type { EmittedFile } from '../../compiler/emitted.js'
import type { Remember } from '../../compiler/plan/memo.js'
import type { Manifest } from '../../protocol/manifest.js'
import { bodyOf } from '../bundle/modules.js'
import { packageRoot } from '../shared/files/package-root.js'
import { clientManifest, clientReadme } from './client-documents.js'
import type { Site } from './site.js'

const CODE = /^generated\/((?:client|types)(?:\/[^/]+)?|tools)\.ts$/u
/** Types leave nothing in JavaScript, and are declarations as they stand. */
const isType = (path: string): boolean => /^generated\/types[./]/u.test(path)

/**
 * `dist/client/`: the client as a package by itself, for those who have only this folder. One module of JavaScript for calls, one for
 * tools, one for stdio; declarations that import nothing of ours from elsewhere.
 */
export async function clientPackage(
  { root, folders }: Site,
  manifest: Manifest,
  generated: readonly EmittedFile[],
  remember: Remember,
): Promise<readonly EmittedFile[]> {
  const { bundle, typeDeclarationsOf } = await import('../bundle/bundle.js')
  const bundled = async (name: string, entry: string): Promise<EmittedFile> => {
    const file = `${folders.dist}/client/${name}.js`
    const { code } = await bundle({ root, entry, file, inlined: ['svc-kit/client'], generated: folders.generated })
    return ours(`dist/client/${name}.js`, code)
  }
  const declared = generated.map(async ({ path, text }) => {
    const name = CODE.exec(path)?.[1]
    if (name === undefined) return []
    const declarations = isType(path)
      ? text
      : remember(`declarations of ${path}`, [bodyOf(text)], () => typeDeclarationsOf(path, bodyOf(text)))
    return [ours(`dist/client/${name}.d.ts`, withOwnTypes(await declarations, name))]
  })
  const files = [
    await bundled('index', `${folders.generated}/client.ts`),
    await bundled('tools', `${folders.generated}/tools.ts`),
    ours('dist/client/index.d.ts', "export * from './client.js'\nexport type * from './svc-kit/client/index.js'\n"),
    ours('dist/client/stdio.js', coreText('client/stdio.js')),
    ours('dist/client/stdio.d.ts', "export * from './svc-kit/client/stdio.js'\n"),
    ...(await Promise.all(declared)).flat(),
    ...ownTypes(),
  ]
  const documents = [ours('dist/client/README.md', clientReadme(manifest))]
  return [...files, ...documents, ours('dist/client/package.json', clientManifest(manifest, [...files, ...documents]))]
}

const ours = (path: string, text: string): EmittedFile => ({ path, text, ownership: 'generated' })

/** The types of the fixed core stand beside the generated ones, in a folder of their own. */
const withOwnTypes = (declarations: string, name: string): string => {
  const up = name.includes('/') ? '..' : '.'
  return declarations.replaceAll(/(from\s+['"])svc-kit\/client(['"])/gu, `$1${up}/svc-kit/client/index.js$2`)
}

const IMPORTED = /(?:from\s+|import\()['"](\.[^'"]+)\.js['"]/gu

/** The declarations of the fixed core, and whatever they refer to. */
function ownTypes(): readonly EmittedFile[] {
  const found = new Map<string, string>()
  const add = (path: string): void => {
    if (found.has(path)) return
    const text = coreText(`${path}.d.ts`)
    found.set(path, text)
    for (const [, target = ''] of text.matchAll(IMPORTED)) add(posix.join(dirname(path), target))
  }
  add('client/index')
  add('client/stdio')
  return [...found].map(([path, text]) => ours(`dist/client/svc-kit/${path}.d.ts`, text))
}

/** A compiled file of this package, without what leads to its source. */
const coreText = (path: string): string =>
  readFileSync(join(packageRoot(), 'dist', path), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/u, '\n')
