import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { renderTemplate } from '../../compiler/render-template.js'
import { CliError } from '../cli-error.js'
import { packageRoot } from '../package-root.js'
import { TEMPLATES } from './answers.js'

export interface ScaffoldFile {
  readonly path: string
  readonly text: string
}

const SUFFIX = '.tmpl'

/** The files of a template, filled in: those that every service has, then its own. `template` is a name of ours or a folder. */
export async function templateFiles(
  template: string,
  values: { readonly [name: string]: string },
): Promise<readonly ScaffoldFile[]> {
  const common = await filesIn(join(packageRoot(), 'templates/common'))
  const own = await filesIn(folderOf(template))
  const byPath = new Map([...common, ...own].map(({ path, text }) => [path, renderTemplate(text, values)]))
  return [...byPath].map(([path, text]) => ({ path, text })).sort((a, b) => (a.path < b.path ? -1 : 1))
}

const folderOf = (template: string): string =>
  (TEMPLATES as readonly string[]).includes(template) ? join(packageRoot(), 'templates', template) : template

async function filesIn(folder: string): Promise<readonly ScaffoldFile[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) throw new CliError(`There is no template folder ${folder}.`)
  const paths = entries
    .filter((entry) => entry.isFile() && entry.name.endsWith(SUFFIX))
    .map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    paths.map(async (path) => ({ path: relativeTo(folder, path), text: await readFile(path, 'utf8') })),
  )
}

const relativeTo = (folder: string, path: string): string =>
  path.slice(join(folder, '/').length, -SUFFIX.length).replaceAll('\\', '/')
