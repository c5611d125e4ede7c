import { existsSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Config } from '../../compiler/config/config.js'
import { CliError, InputError } from '../shared/errors/cli-error.js'
import { readFromDisk } from '../shared/files/read-from-disk.js'

/** Files of settings; they hold data and nothing runs. */
export const CONFIG_FILES = ['svc.config.yaml', 'svc.config.json'] as const

/** Finds the one configuration file of a folder, if any. Refuses two, since one would be ignored silently. */
export function theOneOf<Name extends string>(names: readonly Name[], folder: string): Name | undefined {
  const there = names.filter((name) => existsSync(join(folder, name)))
  if (there.length > 1)
    throw new InputError({
      code: 'SVC0004',
      slug: 'bad-config',
      file: there[0]!,
      message: `${there.join(' and ')} are both there; keep one.`,
    })
  return there[0]
}

/** The settings of a folder; none, if it has no file of them. Nothing is loaded then. */
export async function configOf(folder: string): Promise<Config> {
  const name = theOneOf(CONFIG_FILES, folder)
  if (name === undefined) return {}
  const { readConfig } = await import('../../compiler/config/read-config.js')
  const file = relative(process.cwd(), join(folder, name)).replaceAll('\\', '/')
  const source = { file, text: readFromDisk(file) }
  const { config, diagnostics } = readConfig(source)
  if (diagnostics.length === 0) return config
  const { textReport } = await import('../../compiler/report/text.js')
  const report = textReport({ sources: [source], diagnostics }, { color: false, summaryOnly: false })
  throw new CliError(report.trimEnd().split('\n'))
}
