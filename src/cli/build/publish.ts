import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmittedFile } from '../../compiler/emitted.js'
import { canonicalText } from '../../crypto/canonical.js'
import { discoveryOf } from '../../protocol/discovery.js'
import { bundle } from '../bundle.js'
import type { Destination } from '../files.js'
import { clientPackage } from './client-package.js'
import { generatorName } from './generator-name.js'
import type { CheckedProject } from './inputs.js'
import { digest, readLock, type Lock } from './lock.js'
import { signedDocuments } from './signed-documents.js'
import { say } from './say.js'
import { TOOL, toolDigest } from './tool.js'
import { writeOurs } from './write.js'

const distOf = (root: string): Destination => ({
  root,
  folders: ['dist/'],
  lock: 'dist/.svc-lock.json',
  generator: generatorName(),
})

/** Writes `dist/`: the runnable server, the client for others, the documents. */
export async function publish(
  root: string,
  project: CheckedProject,
  emitted: readonly EmittedFile[],
  force: boolean,
): Promise<void> {
  const server = await serverOf(root)
  const bundled = [
    ...(server === undefined ? [] : [ours('dist/server.mjs', server.code)]),
    ...(await clientPackage(root, emitted)),
  ]
  const sources = [...(server?.sources ?? [])].map(([path, text]) => [path, digest(text)] as const)
  const inputs = { [TOOL]: await toolDigest(), ...Object.fromEntries(sources) }
  await writeDist(distOf(root), project, [...bundled, ...documentsOf(project, emitted)], inputs, force)
}

/** Writes the documents of `dist/` and leaves what was bundled before. */
export async function publishDocuments(
  root: string,
  project: CheckedProject,
  emitted: readonly EmittedFile[],
  force: boolean,
): Promise<void> {
  const to = { ...distOf(root), keeps: (path: string) => BUNDLED.test(path) }
  const inputs = (await readLock(root, to.lock))?.inputs ?? {}
  await writeDist(to, project, documentsOf(project, emitted), inputs, force)
}

const BUNDLED = /^dist\/(?:server\.mjs$|client\/)/u

const documentsOf = ({ manifest }: CheckedProject, emitted: readonly EmittedFile[]): readonly EmittedFile[] => [
  ...emitted.filter(({ path }) => path.startsWith('dist/')),
  ours('dist/discovery.json', `${canonicalText(discoveryOf(manifest))}\n`),
]

async function writeDist(
  to: Destination,
  { manifest }: CheckedProject,
  files: readonly EmittedFile[],
  inputs: Lock['inputs'],
  force: boolean,
): Promise<void> {
  const { total, changed } = await writeOurs(to, files, inputs, force)
  const signed = await signedDocuments(to.root, manifest, Date.now())
  say(`dist/: ${total + signed.total} files, ${changed + signed.changed} changed`)
}

const ours = (path: string, text: string): EmittedFile => ({ path, text, ownership: 'generated' })

async function serverOf(root: string) {
  if ((await stat(join(root, 'main.ts')).catch(() => undefined)) === undefined) {
    say('note: there is no main.ts, so dist/server.mjs was not bundled')
    return undefined
  }
  return bundle({ root, entry: 'main.ts', inlined: [], banner: '' })
}
