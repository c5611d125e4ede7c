import { straysIn } from './strays.js'
import { join, relative } from 'node:path'
import { stat } from 'node:fs/promises'
import type { Emission } from '../../compiler/emit.js'
import type { EmittedFile } from '../../compiler/emitted.js'
import { drafts, draftsFor } from '../../compiler/targets/drafts.js'
import { TARGETS } from '../../compiler/targets/index.js'
import type { Target } from '../../compiler/targets/target.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { buildSettings, inFolders, type BuildSettings } from '../config/build-settings.js'
import { planWrites, type Destination } from './outputs.js'
import { buildAsJson } from './as-json.js'
import { generatorName } from './generator-name.js'
import { outOfDateNote } from './before-start.js'
import { handlerNotes, handOver } from './handlers.js'
import { checkedManifest, emitted, type CheckedProject } from './inputs.js'
import { digest, LOCK, readLock, type Lock } from '../shared/locks/lock.js'
import { NO_MEMORY, type BuildMemory } from './memory.js'
import { oneBuildAtATime } from './one-build.js'
import { publish, publishDocuments } from './publish.js'
import { inProgress } from '../shared/output/in-progress.js'
import { say } from '../shared/output/say.js'
import { changedFiles, pendingText, stray, writeOurs, writeOwned, written } from './write.js'
import { printError, printOut } from '../shared/output/print.js'
import { checkTypes, typeErrorsText, uncheckedNote } from './type-errors.js'

export interface BuildOptions {
  readonly check: boolean
  readonly force: boolean
  /** False: code and documents only; the server and the client of the last build stay. */
  readonly bundle?: boolean
  /** False: the types of the code are not checked. */
  readonly types?: boolean
  /** True for a watcher: it checks types beside the build, and joins no packages. */
  readonly isDraft?: boolean
  /** Print which files were changed, or would be, as data. */
  readonly json?: boolean
  /** Kept by who builds again and again. */
  readonly memory?: BuildMemory
}

const generatedOf = (root: string, { folders }: BuildSettings, { stood }: BuildMemory): Destination => ({
  root,
  folders: [`${folders.generated}/`],
  lock: LOCK,
  generator: generatorName(),
  ...(stood && { stood: stood.generated }),
})

const isGenerated = ({ path }: EmittedFile): boolean => path.startsWith('generated/')
const isOwned = ({ ownership }: EmittedFile): boolean => ownership === 'owned'

/** Validates, generates, bundles. Nothing is written unless the manifest is valid. */
export async function build(root: string, options: BuildOptions): Promise<ExitCode> {
  const settings = await buildSettings(root)
  await assertManifest(root)
  if (options.check) return compare(root, settings, await madeFrom(root, settings, options), options)
  return oneBuildAtATime(root, settings.folders.dist, async () =>
    write(root, settings, await madeFrom(root, settings, options), options),
  )
}

/** Output of a project, before anything is written. */
interface Made {
  readonly project: CheckedProject
  readonly emission: Emission
  readonly generated: readonly EmittedFile[]
  readonly inputs: Lock['inputs']
}

async function madeFrom(
  root: string,
  settings: BuildSettings,
  { memory = NO_MEMORY, json = false }: BuildOptions,
): Promise<Made> {
  const project = await checkedManifest(join(root, MANIFEST), Date.now(), {
    ...settings.checks,
    checker: memory.check,
    errorsTo: json ? process.stderr : process.stdout,
  })
  const manifestKeys = readLock(root, LOCK)?.manifest_keys ?? []
  const { version } = settings
  const emission = emitted(project.manifest, generatorName(), memory.remember, await targetsOf(root, settings), {
    manifestKeys,
    version,
  })
  refuseTwins(emission.files)
  const generated = emission.files.filter(isGenerated).map((file) => inFolders(settings.folders, file))
  return { project, emission, generated, inputs: inputsOf(root, project, settings) }
}

async function write(
  root: string,
  settings: BuildSettings,
  { project, emission: { files, handlers }, generated, inputs }: Made,
  { force, bundle = true, types = true, isDraft = false, json = false, memory = NO_MEMORY }: BuildOptions,
): Promise<ExitCode> {
  const { folders } = settings
  const started = process.hrtime.bigint()
  const ours = await writeOurs(generatedOf(root, settings, memory), generated, inputs, force)
  const created = writeOwned(root, files.filter(isOwned))
  say(
    `${folders.generated}/: ${ours.total} files, ${ours.changed} ` +
      `changed${ours.removed > 0 ? `, ${ours.removed} removed` : ''}`,
  )
  if (created.length > 0) say(createdNote(created))
  for (const name of await handOver(root, handlers, created)) say(`src/handlers/index.ts now exports ${name}`)
  const notes = await handlerNotes(root, handlers)
  if (notes.length > 0) say(notes.map((note) => `note: ${note}`).join('\n'))
  const isFinished =
    types && !isDraft && (await inProgress('checking types', () => haveRightTypes(root, folders.dist, json)))
  const published = files.filter((file) => !isOwned(file))
  const site = { root, folders, version: settings.version, isFinished, isDraft }
  const documents = bundle
    ? await inProgress('bundling', () => publish(site, project, published, inputs, force, memory))
    : await publishDocuments(site, project, published, force, memory)
  if (json) printOut(buildAsJson(false, [...ours.files, ...written(created), ...documents]))
  say(`built in ${Number((process.hrtime.bigint() - started) / 1_000_000n)} ms`)
  return EXIT.ok
}

/** Prints the errors in the types of the code and throws where there are any; false where nothing could be checked. */
async function haveRightTypes(root: string, dist: string, json: boolean): Promise<boolean> {
  const types = await checkTypes(root)
  if ('unchecked' in types) {
    say(uncheckedNote(types))
    return false
  }
  const { errors } = types
  if (errors.length === 0) return true
  ;(json ? printError : printOut)(`${typeErrorsText(errors)}\n`)
  throw new CliError(
    `The types of your code have ${errors.length === 1 ? 'an error' : `${errors.length} errors`}. ` +
      `${dist}/ stays as it was. Fix the code and run: svc build`,
    EXIT.findings,
  )
}

/** The most new files that are named one by one. */
const NAMED = 20

function createdNote(created: readonly string[]): string {
  const named = created.slice(0, NAMED).map((path) => `${path} was created; it is yours`)
  const more = created.length - named.length
  return [...named, ...(more > 0 ? [`and ${more} more files were created; they are yours`] : [])].join('\n')
}

const targetsOf = async (root: string, { folders, code }: BuildSettings): Promise<readonly Target[]> => [
  ...TARGETS.filter((target) => target !== drafts),
  draftsFor(folders.generated),
  ...(code === undefined ? [] : await (await import('../config/own-targets.js')).ownTargets(root, code)),
]

/** A target of the project's own may not write what another one writes; some systems take `a` and `A` for one. */
function refuseTwins(files: readonly EmittedFile[]): void {
  const paths = new Map<string, string>()
  for (const { path } of files) {
    const twin = paths.get(path.toLowerCase())
    if (twin !== undefined) {
      const both = twin === path ? path : `${twin} and ${path}, which are one file to some systems`
      throw new CliError(`Two targets write ${both}; rename the file of one of them.`)
    }
    paths.set(path.toLowerCase(), path)
  }
}

const MANIFEST = 'svc.yaml'

async function assertManifest(root: string): Promise<void> {
  const file = join(root, MANIFEST)
  if ((await stat(file).catch(() => undefined)) === undefined)
    throw new CliError(
      `There is no ${relative(process.cwd(), file) || MANIFEST}. Run svc build in the folder of a service, or ` +
        'make one: svc init shop',
    )
}

/** Input file, relative to the project -> digest. */
function inputsOf(
  root: string,
  { sources }: CheckedProject,
  { files }: BuildSettings,
): { readonly [file: string]: string } {
  const nameOf = (file: string): string => relative(root, file).replaceAll('\\', '/')
  return Object.fromEntries([
    ...sources.map(({ file, text }) => [nameOf(file), digest(text)] as const),
    ...files.map(({ name, text }) => [name, digest(text)] as const),
  ])
}

async function compare(
  root: string,
  settings: BuildSettings,
  { generated, inputs }: Made,
  { json = false }: BuildOptions,
): Promise<ExitCode> {
  const to = generatedOf(root, settings, NO_MEMORY)
  const plan = await planWrites(to, generated, inputs)
  const strays = straysIn(to, new Set(plan.touched))
  const pending = pendingText(plan)
  if (json) printOut(buildAsJson(true, [...changedFiles(plan), ...stray(strays)]))
  if (!json) for (const path of strays) printOut(`${path} is not of svc build. Move it to src/, or delete it.\n`)
  if (pending === undefined && strays.length > 0)
    throw new CliError(`${to.folders[0]} holds files that svc build did not write.`, EXIT.findings)
  if (pending === undefined) {
    say(`${to.folders[0]} is up to date with the manifest`)
    const note = outOfDateNote(root, settings.folders.dist)
    if (note !== undefined) say(`note: ${note} Run: svc build`)
    return EXIT.ok
  }
  if (!json) printOut(`${pending}\n`)
  throw new CliError(`${to.folders[0]} is out of date. Run: svc build`, EXIT.findings)
}
