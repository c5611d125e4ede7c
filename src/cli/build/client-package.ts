import type { EmittedFile } from '../../compiler/emitted.js'
import type { Site } from './publish.js'

const CODE = /^generated\/((?:client|types)(?:\/[^/]+)?)\.ts$/u

/** `dist/client/`: the client for those who have only this folder. One module of JavaScript, and the types as declarations. */
export async function clientPackage(
  { root, folders }: Site,
  generated: readonly EmittedFile[],
): Promise<readonly EmittedFile[]> {
  const { bundle, declarationsOf } = await import('../bundle.js')
  const { code } = await bundle({
    root,
    entry: `${folders.generated}/client.ts`,
    inlined: ['svc-kit/client'],
    banner: '',
  })
  const declared = generated.map(async ({ path, text }) => {
    const name = CODE.exec(path)?.[1]
    return name === undefined ? [] : [ours(`dist/client/${name}.d.ts`, await declarationsOf(path, text))]
  })
  const index = "export * from './client.js'\n"
  return [
    ours('dist/client/index.js', code),
    ours('dist/client/index.d.ts', index),
    ...(await Promise.all(declared)).flat(),
  ]
}

const ours = (path: string, text: string): EmittedFile => ({ path, text, ownership: 'generated' })
