import { chmod, lstat, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { check } from '../../compiler/index.js'
import { generatePrivateJwk } from '../../crypto/key-ring.js'
import { storedKeyOf } from '../../crypto/stored-key.js'
import { KEY_ROLES } from '../../protocol/words.js'
import { writeKeyFile } from '../../runtime/key-directory.js'
import { CliError, EXIT, type ExitCode } from '../cli-error.js'
import { answersFrom, mayAsk, STORAGES, type InitOptions } from './answers.js'
import { developmentCredentials } from './credentials.js'
import { packageSpec } from './package-spec.js'
import { templateFiles, type ScaffoldFile } from './template-files.js'

/** Scaffolds a service in a folder. Writes nothing when any of its files is there already. */
export async function init(folder: string, options: InitOptions): Promise<ExitCode> {
  const answers = mayAsk(options) ? await (await import('./ask.js')).ask(folder, options) : answersFrom(folder, options)
  if (!(STORAGES as readonly string[]).includes(answers.storage))
    throw new CliError(`There is no storage ${JSON.stringify(answers.storage)}; there is ${STORAGES.join(' and ')}.`)
  const scaffold = await templateFiles(answers.template, {
    name: answers.name,
    package: answers.name.replaceAll('.', '-'),
    title: titleOf(answers.name),
    svcKit: options.svcKit ?? packageSpec(folder),
  })
  const { apiKeys, env } = developmentCredentials(approverScopeOf(scaffold))
  const files = [...scaffold, apiKeys, env]
  await refuseConflicts(folder, [...files.map(({ path }) => path), 'keys'])
  for (const file of files) await create(folder, file)
  await chmod(join(folder, env.path), 0o600)
  await createKeys(join(folder, 'keys'), Date.now())
  process.stdout.write(nextSteps(folder, files.length))
  return EXIT.ok
}

const titleOf = (name: string): string => {
  const words = name.replaceAll(/[._-]+/gu, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}

function approverScopeOf(scaffold: readonly ScaffoldFile[]): string | undefined {
  const source = scaffold.find(({ path }) => path === 'svc.yaml')
  if (source === undefined) throw new CliError('The template has no svc.yaml.tmpl.')
  const { manifest, diagnostics } = check([{ file: source.path, text: source.text }])
  const [problem] = diagnostics
  if (manifest === undefined)
    throw new CliError(`The svc.yaml of the template is not sound: ${problem?.message ?? ''}`, EXIT.findings)
  return manifest.approvals.approver_scope
}

async function refuseConflicts(folder: string, paths: readonly string[]): Promise<void> {
  const there = await Promise.all(paths.map(async (path) => ((await exists(join(folder, path))) ? [path] : [])))
  const conflicts = there.flat()
  if (conflicts.length === 0) return
  throw new CliError(
    `These are in ${folder} already: ${conflicts.join(', ')}. Nothing was written. Choose another folder, or move them away.`,
  )
}

/** A dangling link counts, too. */
const exists = async (path: string): Promise<boolean> => (await lstat(path).catch(() => undefined)) !== undefined

async function create(folder: string, { path, text }: ScaffoldFile): Promise<void> {
  const file = join(folder, path)
  await mkdir(dirname(file), { recursive: true })
  await writeFile(file, text, { flag: 'wx', mode: path === '.env' ? 0o600 : 0o644 })
}

/** A key for each role, signing from now on. */
async function createKeys(folder: string, now: number): Promise<void> {
  await mkdir(folder, { mode: 0o700 })
  for (const role of KEY_ROLES) {
    await writeKeyFile(folder, { ...storedKeyOf(generatePrivateJwk(), role, now), activeFrom: now })
  }
}

function nextSteps(folder: string, count: number): string {
  const path = relative(process.cwd(), folder) || '.'
  const enter = path === '.' ? [] : [`  cd ${/\s/u.test(path) ? JSON.stringify(path) : path}`]
  return [
    `Made a service of ${count} files, with development keys and credentials. Next:`,
    '',
    ...enter,
    '  npm install',
    '  npx svc validate',
    '  npx svc build',
    '  npx svc sign',
    '  npm start',
    '',
  ].join('\n')
}
