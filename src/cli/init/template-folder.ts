import type { Dirent } from 'node:fs'
import { lstat, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { CliError } from '../shared/errors/cli-error.js'

/** A file of a template as it stands there. */
export interface TemplateFile {
  /** Relative to the template, with `/`. */
  readonly path: string
  readonly bytes: Uint8Array
  readonly isExecutable: boolean
}

const MOST_FILES = 1_000
const MOST_BYTES = 16 * 1024 * 1024
/** Files beside a template during its development, not part of it. */
const NOT_PART = ['.git', 'node_modules']

/**
 * The files of a template, wherever they are in its folder. Links and devices are refused: a scaffold is made of files.
 */
export async function filesBelow(folder: string): Promise<readonly TemplateFile[]> {
  const paths = await pathsBelow(folder)
  const files: TemplateFile[] = []
  let left = MOST_BYTES
  for (const path of paths) {
    const { size, mode } = await lstat(join(folder, path))
    left -= size
    if (left < 0) throw new CliError(`The template ${folder} has more than 16 MiB; ${path} is one file too many.`)
    files.push({ path, bytes: await readFile(join(folder, path)), isExecutable: (mode & 0o100) !== 0 })
  }
  return files
}

async function pathsBelow(folder: string): Promise<readonly string[]> {
  const paths: string[] = []
  const open = ['']
  for (let within = open.pop(); within !== undefined; within = open.pop())
    for (const entry of await entriesOf(join(folder, within))) {
      const path = within === '' ? entry.name : `${within}/${entry.name}`
      if (NOT_PART.includes(entry.name)) continue
      if (entry.isDirectory()) open.push(path)
      else if (entry.isFile()) paths.push(path)
      else
        throw new CliError(`${path} of the template ${folder} is ${kindOf(entry)}. A template has files and folders.`)
      if (paths.length + open.length > MOST_FILES)
        throw new CliError(`The template ${folder} has more than ${MOST_FILES} files.`)
    }
  return paths.toSorted()
}

async function entriesOf(folder: string): Promise<readonly Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => undefined)
  if (entries === undefined) throw new CliError(`There is no template folder ${folder}.`)
  return entries
}

const kindOf = (entry: Dirent): string => (entry.isSymbolicLink() ? 'a link' : 'no file')
