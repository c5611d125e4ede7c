import type { EmittedFile } from '../../compiler/emitted.js'
import type { Remember } from '../../compiler/plan/memo.js'
import type { Manifest } from '../../protocol/manifest.js'
import { clientDeclarations, coreText } from './client-declarations.js'
import { clientManifest, clientReadme } from './client-documents.js'
import type { Site } from './site.js'

/**
 * `dist/client/`: the client as a package by itself, for those who have only this folder. One module of JavaScript for calls, one for
 * tools, one for stdio; declarations that import nothing of ours from elsewhere.
 */
export async function clientPackage(
  { root, folders, version }: Site,
  manifest: Manifest,
  generated: readonly EmittedFile[],
  remember: Remember,
): Promise<readonly EmittedFile[]> {
  const { bundle } = await import('../bundle/bundle.js')
  const bundled = async (name: string, entry: string): Promise<EmittedFile> => {
    const file = `${folders.dist}/client/${name}.js`
    const { code } = await bundle({ root, entry, file, inlined: ['svc-kit/client'], generated: folders.generated })
    return ours(`dist/client/${name}.js`, code)
  }
  const files = [
    await bundled('index', `${folders.generated}/client.ts`),
    await bundled('tools', `${folders.generated}/tools.ts`),
    ours('dist/client/stdio.js', coreText('client/stdio.js')),
    ...(await clientDeclarations(generated, remember)),
  ]
  return [
    ...files,
    ours('dist/client/README.md', clientReadme(manifest)),
    ours('dist/client/package.json', clientManifest(manifest, version)),
  ]
}

const ours = (path: string, text: string): EmittedFile => ({ path, text, ownership: 'generated' })
