import { lstat } from 'node:fs/promises'
import { isAbsolute, join, posix, relative } from 'node:path'
import { CliError } from '../shared/errors/cli-error.js'
import { writerOfFile } from '../shared/formats/of-file.js'
import { packageRoot } from '../shared/files/package-root.js'
import { TEMPLATES } from './answers.js'
import { filesBelow, type TemplateFile } from './template-folder.js'
import type { TemplateValues } from './template-values.js'
import { TEMPLATE_SUFFIX as SUFFIX, type FillIn } from './templates/fill-in.js'
import { ownTemplates } from './templates/own-templates.js'

export interface ScaffoldFile {
  readonly path: string
  readonly content: string | Uint8Array
  readonly mode?: number
}

const MANIFEST = 'svc.yaml'

/**
 * The files of a template: those that every service has, then its own. What ends in `.tmpl` is filled in, the rest is
 * copied.
 * `template` is a name of ours or a folder.
 */
export async function templateFiles(template: string, values: TemplateValues): Promise<readonly ScaffoldFile[]> {
  const folder = (TEMPLATES as readonly string[]).includes(template)
    ? join(packageRoot(), 'templates', template)
    : template
  await assertTemplate(folder)
  const common = await scaffoldedBelow(join(packageRoot(), 'templates/common'), values)
  const own = await scaffoldedBelow(folder, values)
  refuseOfInit(own)
  const byPath = new Map([...common, ...own].map((file) => [file.path, file]))
  return [...byPath.values()].filter(hasContent).sort((a, b) => (a.path < b.path ? -1 : 1))
}

/** A template of which the choices leave nothing makes no file. */
const hasContent = ({ content }: ScaffoldFile): boolean => typeof content !== 'string' || content.trim() !== ''

/** Looked at before anything is read: any folder may be given, and `/` is one, too. */
async function assertTemplate(folder: string): Promise<void> {
  for (const name of [`${MANIFEST}${SUFFIX}`, MANIFEST])
    if ((await lstat(join(folder, name)).catch(() => undefined))?.isFile() === true) return
  const isThere = (await lstat(folder).catch(() => undefined)) !== undefined
  throw new CliError(
    isThere ? `The template ${folder} has no ${MANIFEST}${SUFFIX}.` : `There is no template folder ${folder}.`,
  )
}

/** The files of a folder of templates as a service has them. Handlebars compiles those of others only. */
export async function scaffoldedBelow(folder: string, values: TemplateValues): Promise<readonly ScaffoldFile[]> {
  const files = await filesBelow(folder)
  const ours = relative(join(packageRoot(), 'templates'), folder).replaceAll('\\', '/')
  if (!ours.startsWith('..') && !isAbsolute(ours))
    return files.map((file) => scaffolded(file, values, ownTemplates(ours)))
  const { isPartial, usersTemplates } = await import('./templates/users-templates.js')
  const fillIn = usersTemplates(files)
  return files.filter((file) => !isPartial(file)).map((file) => scaffolded(file, values, fillIn))
}

function scaffolded(file: TemplateFile, values: TemplateValues, fillIn: FillIn): ScaffoldFile {
  const { path, bytes, isExecutable } = file
  const mode = isExecutable ? { mode: 0o755 } : {}
  if (!path.endsWith(SUFFIX)) return { path, content: bytes, ...mode }
  const target = path.slice(0, -SUFFIX.length)
  if (['', '.', '..'].includes(posix.basename(`/${target}`)) || target.endsWith('/'))
    throw new CliError(`${path} of the template has no name without ${SUFFIX}.`)
  return { path: target, content: fillIn(file, values, writerOfFile(target)), ...mode }
}

/** Files that `svc init` creates for each service. */
const OF_INIT = /^(?:\.env|api-keys\.json|keys(?:\/.*)?)$/su

function refuseOfInit(files: readonly ScaffoldFile[]): void {
  const paths = new Set<string>()
  for (const { path } of files) {
    if (OF_INIT.test(path))
      throw new CliError(`The template has ${path}, which svc init makes for each service itself.`)
    if (paths.has(path)) throw new CliError(`Two files of the template, ${path} and ${path}${SUFFIX}, would be one.`)
    paths.add(path)
  }
}
