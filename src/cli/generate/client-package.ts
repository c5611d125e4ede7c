import type { EmittedFile } from '../../compiler/emitted.js'
import type { Remember } from '../../compiler/plan/memo.js'
import { bodyOf } from '../bundle-modules.js'
import type { Site } from './site.js'

const CODE = /^generated\/((?:client|types)(?:\/[^/]+)?)\.ts$/u
/** Types leave nothing in JavaScript, and are declarations as they stand. */
const isType = (path: string): boolean => /^generated\/types[./]/u.test(path)

/** `dist/client/`: the client for those who have only this folder. One module of JavaScript, and the types as declarations. */
export async function clientPackage(
  { root, folders }: Site,
  generated: readonly EmittedFile[],
  remember: Remember,
): Promise<readonly EmittedFile[]> {
  const { bundle, declarationsOf } = await import('../bundle.js')
  const entry = `${folders.generated}/client.ts`
  const bundled = bundle({
    root,
    entry,
    file: `${folders.dist}/client/index.js`,
    inlined: ['svc-kit/client'],
    generated: folders.generated,
  })
  const declared = generated.map(async ({ path, text }) => {
    const name = CODE.exec(path)?.[1]
    if (name === undefined) return []
    const declarations = isType(path)
      ? text
      : remember(`declarations of ${path}`, [bodyOf(text)], () => declarationsOf(path, bodyOf(text)))
    return [ours(`dist/client/${name}.d.ts`, await declarations)]
  })
  const index = "export * from './client.js'\n"
  return [
    ours('dist/client/index.js', (await bundled).code),
    ours('dist/client/index.d.ts', index),
    ...(await Promise.all(declared)).flat(),
  ]
}

const ours = (path: string, text: string): EmittedFile => ({ path, text, ownership: 'generated' })
