import { readdirSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { EmittedFile } from '../../compiler/emitted.js'
import { canonicalText } from '../../crypto/json/canonical.js'
import { discoveryOf } from '../../protocol/discovery.js'
import { inFolders } from '../config/build-settings.js'
import type { Destination } from './outputs.js'
import type { Bundle } from '../bundle/bundle.js'
import { billOfMaterials, licensesOf } from '../bundle/bill-of-materials.js'
import { READS_CONSOLE } from '../bundle/console-folder.js'
import { packageRoot } from '../shared/files/package-root.js'
import { clientPackage } from './client-package.js'
import { generatorName } from './generator-name.js'
import type { CheckedProject } from './inputs.js'
import { digest, readLock, type Lock } from '../shared/locks/lock.js'
import type { BuildMemory } from './memory.js'
import { signedDocuments } from './signed-documents.js'
import { operatorFile, RUNS_COMMANDS } from './operator-commands.js'
import { pythonCore } from './python-package.js'
import { say } from '../shared/output/say.js'
import type { Site } from './site.js'
import { PINS, pinsDigest, SERVICE_VERSION, TOOL, toolDigest, UNFINISHED } from './tool.js'
import { NOT_SIGNED } from './unchanged.js'
import { removed, writeOurs, written, type ChangedFile } from './write.js'

const distOf = ({ root, folders }: Site, { stood }: BuildMemory): Destination => ({
  root,
  folders: [`${folders.dist}/`],
  lock: `${folders.dist}/.svc-lock.json`,
  generator: generatorName(),
  ...(stood && { stood: stood.dist }),
})

/**
 * Writes `dist/`: the runnable server, the client for others, the documents; gives what was changed. `declared` are the
 * digests of what says what they are.
 */
export async function publish(
  site: Site,
  project: CheckedProject,
  emitted: readonly EmittedFile[],
  declared: Lock['inputs'],
  force: boolean,
  memory: BuildMemory,
): Promise<readonly ChangedFile[]> {
  const server = await serverOf(site)
  const bundled = [
    ...(server === undefined ? [] : serverFiles(server)),
    ...(server === undefined || site.isDraft ? [] : [ours('dist/operate.mjs', operatorFile())]),
    ...(await clientPackage(site, project.manifest, emitted, memory.remember)),
  ]
  const sources = [...(server?.sources ?? [])].map(([path, text]) => [path, digest(text)] as const)
  const inputs = { ...madeBy(site), ...declared, ...Object.fromEntries(sources) }
  const files = [...bundled, ...documentsOf(project, emitted)]
  return writeDist(site, distOf(site, memory), project, files, inputs, force, memory)
}

/** Digests of the inputs that are no whole file of the project. */
const madeBy = ({ root, version, isFinished }: Site): Lock['inputs'] => ({
  [TOOL]: toolDigest(),
  [PINS]: pinsDigest(root),
  [SERVICE_VERSION]: digest(version),
  ...(isFinished ? {} : { [UNFINISHED]: digest('') }),
})

/** Writes the documents of `dist/` and leaves what was bundled before. */
export async function publishDocuments(
  site: Site,
  project: CheckedProject,
  emitted: readonly EmittedFile[],
  force: boolean,
  memory: BuildMemory,
): Promise<readonly ChangedFile[]> {
  const { dist } = site.folders
  const to = {
    ...distOf(site, memory),
    keeps: (path: string) => path.startsWith(`${dist}/`) && BUNDLED.test(path.slice(dist.length)),
  }
  const inputs = readLock(site.root, to.lock)?.inputs ?? {}
  return writeDist(site, to, project, documentsOf(project, emitted), inputs, force, memory)
}

const BUNDLED = /^\/(?:(?:(?:server|operate)\.mjs(?:\.map)?|sbom\.cdx\.json|licenses\.txt)$|client\/|console\/)/u

const documentsOf = ({ manifest }: CheckedProject, emitted: readonly EmittedFile[]): readonly EmittedFile[] => [
  ...pythonCore(manifest),
  ...emitted.filter(({ path }) => path.startsWith('dist/')),
  ours('dist/discovery.json', `${canonicalText(discoveryOf(manifest))}\n`),
]

async function writeDist(
  { root, folders }: Site,
  to: Destination,
  { manifest }: CheckedProject,
  files: readonly EmittedFile[],
  inputs: Lock['inputs'],
  force: boolean,
  { remember }: BuildMemory,
): Promise<readonly ChangedFile[]> {
  const placed = files.map((file) => inFolders(folders, file))
  const { total, changed, files: changes } = await writeOurs(to, placed, inputs, force)
  const signed = await signedDocuments(root, join(root, folders.dist), manifest, Date.now(), remember)
  say(`${folders.dist}/: ${total + signed.total} files, ${changed + signed.changed.length} changed`)
  if (!signed.isSigned) say(NOT_SIGNED)
  const inDist = (name: string): string => `${folders.dist}/${name}`
  return [...changes, ...written(signed.changed.map(inDist)), ...removed(signed.removed.map(inDist))]
}

/** The server, the way back from its lines to those of its sources (`node --enable-source-maps`), and what it reads. */
const serverFiles = ({ code, map, packages }: Bundle): readonly EmittedFile[] => [
  ours('dist/server.mjs', `${code}//# sourceMappingURL=server.mjs.map\n`),
  ours('dist/server.mjs.map', map),
  ...(packages.length === 0
    ? []
    : [ours('dist/sbom.cdx.json', billOfMaterials(packages)), ours('dist/licenses.txt', licensesOf(packages))]),
  ...(READS_CONSOLE.test(code) ? consoleFiles() : []),
]

/** The files of the console, beside a server that holds its code. */
const consoleFiles = (): readonly EmittedFile[] =>
  readdirSync(ownPath('dist/console/assets'))
    .toSorted()
    .map((name) => ours(`dist/console/${name}`, readFileSync(ownPath('dist/console/assets', name), 'utf8')))

const ownPath = (...parts: readonly string[]): string => join(packageRoot(), ...parts)

const ours = (path: string, text: string): EmittedFile => ({ path, text, ownership: 'generated' })

async function serverOf({ root, folders, isDraft }: Site) {
  if ((await stat(join(root, 'main.ts')).catch(() => undefined)) === undefined) {
    say(`note: there is no main.ts, so ${folders.dist}/server.mjs was not bundled`)
    return undefined
  }
  const { bundle } = await import('../bundle/bundle.js')
  const bundled = await bundle({
    root,
    entry: 'main.ts',
    file: `${folders.dist}/server.mjs`,
    ...(isDraft ? { inlined: [] } : { inlined: 'all' as const, banner: RUNS_COMMANDS }),
    generated: folders.generated,
  })
  if (!isDraft && bundled.imported.length > 0) say(besideNote(folders.dist, bundled.imported))
  return bundled
}

const besideNote = (dist: string, names: readonly string[]): string =>
  `note: ${dist}/server.mjs imports ${names.join(', ')}: install ${names.length === 1 ? 'it' : 'them'} where it runs`
