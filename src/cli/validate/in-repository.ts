import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Place } from '../../compiler/diagnostics.js'
import type { CheckedRun } from '../../compiler/report/run.js'

/** The folder that systems of CI take paths from: the one of the option, of the job, or the root of the repository. */
export function repositoryOf(option: string | undefined): string {
  const { GITHUB_WORKSPACE, CI_PROJECT_DIR } = process.env
  return resolve(option ?? (GITHUB_WORKSPACE || CI_PROJECT_DIR || rootAbove(process.cwd())))
}

/** The nearest folder above with a `.git`, which is a file in a worktree; this one where there is none. */
function rootAbove(here: string): string {
  for (let folder = here; ; folder = dirname(folder)) {
    if (existsSync(join(folder, '.git'))) return folder
    if (folder === dirname(folder)) return here
  }
}

/**
 * The category of a report in code scanning, which takes one run of each: the command, and the folder that it ran in
 * where that is not the root of the repository, as `svc-validate/services/shop/`.
 */
export function sarifCategory(command: string, option?: string): string {
  const folder = relative(repositoryOf(option), process.cwd()).replaceAll('\\', '/')
  return folder === '' || folder.startsWith('..') ? `${command}/` : `${command}/${folder}/`
}

/** A run whose files are named from a folder. A file outside it, or standard input, keeps its name. */
export function runFrom(folder: string, run: CheckedRun): CheckedRun {
  const named = new Map<string, string>()
  const nameOf = (file: string): string => {
    const name = named.get(file) ?? nameFrom(folder, file)
    named.set(file, name)
    return name
  }
  const placed = <P extends Place>(place: P): P => ({ ...place, file: nameOf(place.file) })
  return {
    ...run,
    sources: run.sources.map((source) => ({ ...source, file: nameOf(source.file) })),
    diagnostics: run.diagnostics.map((each) => ({
      ...placed(each),
      related: each.related.map(placed),
      ...(each.fix === undefined ? {} : { fix: each.fix.map(placed) }),
    })),
  }
}

function nameFrom(folder: string, file: string): string {
  if (!existsSync(file)) return file
  const name = relative(folder, resolve(file)).replaceAll('\\', '/')
  return name.startsWith('../') ? file : name
}
