import { join, relative } from 'node:path'
import { stat } from 'node:fs/promises'
import type { Remember } from '../../compiler/plan/memo.js'
import type { EmittedFile } from '../../compiler/emitted.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { planWrites, type Destination } from '../files.js'
import { generatorName } from './generator-name.js'
import { handlerNotes } from './handlers.js'
import { checkedManifest, emitted, type CheckedProject } from './inputs.js'
import { digest } from './lock.js'
import { publish, publishDocuments } from './publish.js'
import { say } from './say.js'
import { pendingText, writeOurs, writeOwned } from './write.js'

export interface BuildOptions {
  readonly check: boolean
  readonly force: boolean
  /** False: code and documents only; the server and the client of the last build stay. */
  readonly bundle?: boolean
  /** Kept by who builds again and again. */
  readonly remember?: Remember
}

const generatedOf = (root: string): Destination => ({
  root,
  folders: ['generated/'],
  lock: 'svc.lock.json',
  generator: generatorName(),
})

const isGenerated = ({ path }: EmittedFile): boolean => path.startsWith('generated/')
const isOwned = ({ ownership }: EmittedFile): boolean => ownership === 'owned'

/** Validates, generates, bundles. Nothing is written unless the manifest is sound. */
export async function build(root: string, { check, force, bundle = true, remember }: BuildOptions): Promise<ExitCode> {
  const project = await readProject(root)
  const { files, handlers } = emitted(project.manifest, generatorName(), remember)
  const inputs = inputsOf(root, project)
  if (check) return compare(root, files.filter(isGenerated), inputs)
  const started = process.hrtime.bigint()
  const written = await writeOurs(generatedOf(root), files.filter(isGenerated), inputs, force)
  const created = await writeOwned(root, files.filter(isOwned))
  say(
    `generated/: ${written.total} files, ${written.changed} changed${written.removed > 0 ? `, ${written.removed} removed` : ''}`,
  )
  for (const path of created) say(`${path} was created; it is yours`)
  for (const note of await handlerNotes(root, handlers)) say(`note: ${note}`)
  await (bundle ? publish : publishDocuments)(
    root,
    project,
    files.filter((file) => !isOwned(file)),
    force,
  )
  say(`built in ${Number((process.hrtime.bigint() - started) / 1_000_000n)} ms`)
  return EXIT.ok
}

async function readProject(root: string): Promise<CheckedProject> {
  const file = join(root, 'svc.yaml')
  if ((await stat(file).catch(() => undefined)) === undefined)
    throw new CliError(
      `There is no ${relative(process.cwd(), file) || 'svc.yaml'}. Run svc build in the folder of a service, or make one: svc init shop`,
    )
  return checkedManifest(file, Date.now())
}

/** Input file, relative to the project -> digest. */
function inputsOf(root: string, { sources }: CheckedProject): { readonly [file: string]: string } {
  const nameOf = (file: string): string => relative(root, file).replaceAll('\\', '/')
  return Object.fromEntries(sources.map(({ file, text }) => [nameOf(file), digest(text)]))
}

async function compare(
  root: string,
  files: readonly EmittedFile[],
  inputs: { readonly [file: string]: string },
): Promise<ExitCode> {
  const pending = pendingText(await planWrites(generatedOf(root), files, inputs))
  if (pending === undefined) {
    say('generated/ is in step with the manifest')
    return EXIT.ok
  }
  process.stdout.write(`${pending}\n`)
  throw new CliError('generated/ is not in step with the manifest. Run: svc build', EXIT.findings)
}
