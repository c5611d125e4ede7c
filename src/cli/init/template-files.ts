import { lstat } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { renderTemplate, type TemplateValues } from '../../compiler/render-template.js'
import { CliError } from '../shared/errors/cli-error.js'
import { packageRoot } from '../shared/files/package-root.js'
import { TEMPLATES } from './answers.js'
import { filesBelow, type TemplateFile } from './template-folder.js'

export interface ScaffoldFile {
  readonly path: string
  readonly content: string | Uint8Array
  readonly mode?: number
}

const SUFFIX = '.tmpl'
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
  const common = await filesBelow(join(packageRoot(), 'templates/common'))
  const own = (await filesBelow(folder)).map((file) => scaffolded(file, values))
  refuseOfInit(own)
  const byPath = new Map([...common.map((file) => scaffolded(file, values)), ...own].map((file) => [file.path, file]))
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

/** A file of a template as a service has it. */
export function scaffolded({ path, bytes, isExecutable }: TemplateFile, values: TemplateValues): ScaffoldFile {
  const mode = isExecutable ? { mode: 0o755 } : {}
  if (!path.endsWith(SUFFIX)) return { path, content: bytes, ...mode }
  const target = path.slice(0, -SUFFIX.length)
  if (['', '.', '..'].includes(posix.basename(`/${target}`)) || target.endsWith('/'))
    throw new CliError(`${path} of the template has no name without ${SUFFIX}.`)
  return { path: target, content: filledIn(path, bytes, values), ...mode }
}

function filledIn(path: string, bytes: Uint8Array, values: TemplateValues): string {
  const text = textOf(path, bytes)
  try {
    return renderTemplate(text, values)
  } catch (error) {
    const names = Object.keys(values).map((name) =>
      typeof values[name] === 'string' ? `{{${name}}}` : `{{#if ${name}}}`,
    )
    throw new CliError(
      `${path}: ${error instanceof Error ? error.message : String(error)} There are ${names.join(', ')}.`,
    )
  }
}

function textOf(path: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    throw new CliError(`${path} of the template is not text in UTF-8. Without ${SUFFIX} it is copied as it is.`)
  }
}

/** What is made fresh for each service. */
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
