import { existsSync, lstatSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import type { SourceFile } from '../../compiler/openapi/print-handlers.js'
import { CliError } from '../shared/errors/cli-error.js'
import { shellPath, shellWord } from '../../protocol/shell.js'
import { LIST, listHandlers } from '../build/handlers.js'
import { printable } from '../shared/output/printable.js'
import { nameFrom, type Answers } from '../init/answers.js'
import { createAll, createFiles, refuseConflicts } from '../init/create-files.js'
import { credentialFiles } from '../init/credentials.js'
import { dependencyFor } from '../init/package-spec.js'
import { templateFiles, type ScaffoldFile } from '../init/template-files.js'
import { templateValues } from '../init/template-values.js'
import { packageRoot } from '../shared/files/package-root.js'
import { replaceFile } from '../shared/files/replace-file.js'

/** What an import adds to a service. */
export interface Addition {
  readonly id: string
  readonly title: string
  /** `capabilities/<id>.yaml` */
  readonly fragment: string
  readonly sources: readonly SourceFile[]
  /** Lines of `.env` that name the credential of the service behind, as `formats/environment` writes them. */
  readonly environment: readonly string[]
  /** What the service must install beside. */
  readonly dependencies: { readonly [name: string]: string }
  /** Whether nothing is left for a person to decide. */
  readonly isDecided: boolean
}

/** Adds to the service in a folder, or makes a service there. Gives what to do next. */
export async function addToService(into: string, addition: Addition): Promise<string> {
  const folder = resolve(into)
  return existsSync(join(folder, 'svc.yaml')) ? extended(folder, addition) : created(folder, addition)
}

/** Adds files, and to the list of handlers a line for each. What else the user's files need is printed. */
async function extended(
  folder: string,
  { id, fragment, sources, environment, dependencies }: Addition,
): Promise<string> {
  const path = `capabilities/${id}.yaml`
  const hasList = existsSync(join(folder, LIST))
  const added = sources.filter((each) => !hasList || each.path !== LIST)
  const files = [{ path, content: fragment }, ...added.map(scaffolded)]
  await refuseConflicts(
    folder,
    files.map((file) => file.path),
  )
  await createFiles(folder, files)
  const install = Object.entries(dependencies).map(
    ([name, version]) => `  npm install --save-exact ${shellWord(`${name}@${version}`)}\n`,
  )
  return [
    `Made ${files.length} files in ${printable(folder)}.${hasList ? await handedOver(folder, sources) : ''} Next:\n\n`,
    `  in svc.yaml, unless it is there:  include: [capabilities/*.yaml]\n`,
    `  in the environment:\n${environment.map((line) => `    ${line}`).join('')}`,
    ...install,
    '  npx svc validate\n',
  ].join('')
}

/** Adds the lines of the handlers to the list; where it is a link, says which lines are wanted. */
async function handedOver(folder: string, sources: readonly SourceFile[]): Promise<string> {
  const text = sources.find((each) => each.path === LIST)?.text ?? ''
  const handlers = [...text.matchAll(/^export \{ (\S+) \} from .+$/gmu)].map(([exportLine, identifier]) => ({
    exportLine,
    identifier: identifier!,
  }))
  if (lstatSync(join(folder, LIST)).isSymbolicLink())
    return ` ${LIST} is a link. Add to the file that it leads to:\n${text.replaceAll(/^/gmu, '    ').trimEnd()}\n`
  const { length } = await listHandlers(folder, handlers)
  return ` ${LIST} hands ${length} of ${handlers.length} handlers over${length < handlers.length ? '; it has the others already' : ''}.`
}

const scaffolded = ({ path, text }: SourceFile): ScaffoldFile => ({ path, content: text })

async function created(folder: string, addition: Addition): Promise<string> {
  const answers: Answers = {
    name: nameFrom(folder), template: 'minimal', storage: 'sqlite', signIn: 'api-keys', tests: false, mcp: true,
  } // prettier-ignore
  const { id, fragment, sources, environment, dependencies, isDecided } = addition
  const files: readonly ScaffoldFile[] = [
    ...(await scaffoldOf(answers, folder)),
    { path: `capabilities/${id}.yaml`, content: fragment },
    ...sources.map(scaffolded),
    ...credentialFiles(answers, [`${id}.read`, `${id}.write`]).map((file) => withEnvironment(file, environment)),
  ]
  const made = files.find(({ path }) => path === PACKAGE)
  const wanted = files.filter(
    ({ path }) => path !== PACKAGE && (path !== '.gitignore' || !existsSync(join(folder, path))),
  )
  await refuseConflicts(folder, [...wanted.map(({ path }) => path), 'keys'])
  const merged = mergedPackage(folder, String(made?.content ?? '{}'), dependencies)
  await createAll(folder, wanted)
  await replaceFile(join(folder, PACKAGE), merged)
  return nextSteps(folder, wanted.length + 1, isDecided)
}

const PACKAGE = 'package.json'

/** What every service has, and the start-up of the smallest one. */
async function scaffoldOf(answers: Answers, folder: string): Promise<readonly ScaffoldFile[]> {
  const { spec, vendored } = dependencyFor(folder)
  const values = templateValues(answers, spec)
  const main = (await templateFiles('minimal', values)).filter(({ path }) => path === 'main.ts')
  const brought = vendored === undefined || dependsOnSvcKit(folder) ? [] : [vendored]
  return [...main, ...brought, ...(await templateFiles(join(packageRoot(), 'templates/imported'), values))]
}

/** A project that depends on it already goes on doing so as it did. */
function dependsOnSvcKit(folder: string): boolean {
  const path = join(folder, PACKAGE)
  if (!existsSync(path)) return false
  const { dependencies = {}, devDependencies = {} } = packageAt(path)
  return [dependencies, devDependencies].some((each) => Object.hasOwn(each, 'svc-kit'))
}

const withEnvironment = (file: ScaffoldFile, lines: readonly string[]): ScaffoldFile =>
  file.path === '.env' && lines.length > 0 ? { ...file, content: `${String(file.content)}\n${lines.join('')}` } : file

interface PackageFile {
  readonly [member: string]: unknown
  readonly scripts?: object
  readonly dependencies?: object
  readonly devDependencies?: object
}

/** The package of the service, beside what is in one that is there already: `npm install` may have made it. */
function mergedPackage(folder: string, made: string, dependencies: object): string {
  const wanted = JSON.parse(made) as PackageFile
  const path = join(folder, PACKAGE)
  const there = existsSync(path) ? packageAt(path) : {}
  const all = {
    ...wanted,
    ...there,
    type: 'module',
    scripts: { ...there.scripts, ...wanted.scripts },
    dependencies: { ...dependencies, ...there.dependencies },
    devDependencies: { ...without(wanted.devDependencies, there.dependencies), ...there.devDependencies },
  }
  return `${JSON.stringify(all, undefined, 2)}\n`
}

/** Members that are not among others: what a project depends on already, it goes on depending on. */
const without = (members: object = {}, others: object = {}): object =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !Object.hasOwn(others, name)))

function packageAt(path: string): PackageFile {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as PackageFile
  } catch {
    throw new CliError(`${path} is not JSON. Fix it, or import into another folder with --into.`)
  }
}

function nextSteps(folder: string, count: number, isDecided: boolean): string {
  const path = relative(process.cwd(), folder) || '.'
  const steps = [
    ...(path === '.' ? [] : [`cd ${shellPath(path)}`]),
    'npm install',
    ...(isDecided ? [] : ['npx svc validate  # names each decision that is still TODO']),
    'npx svc dev',
  ]
  return `Made a service of ${count} files. Next:\n\n${steps.map((step) => `  ${step}\n`).join('')}`
}
