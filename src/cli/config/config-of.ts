import { existsSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Config } from '../../compiler/config/read-config.js'
import { CliError } from '../cli-error.js'

/** Files of settings; they hold data and nothing runs. */
export const CONFIG_FILES = ['svc.config.yaml', 'svc.config.json'] as const

/** The settings of a folder; none, if it has no file of them. Nothing is loaded then. */
export async function configOf(folder: string): Promise<Config> {
  const there = CONFIG_FILES.filter((name) => existsSync(join(folder, name)))
  const [name] = there
  if (name === undefined) return {}
  if (there.length > 1) throw new CliError(`SVC0004 bad-config: ${there.join(' and ')} are both there; keep one.`)
  const { readConfig } = await import('../../compiler/config/read-config.js')
  const file = relative(process.cwd(), join(folder, name)).replaceAll('\\', '/')
  const source = { file, text: readFileSync(join(folder, name), 'utf8') }
  const { config, diagnostics } = readConfig(source)
  if (diagnostics.length === 0) return config
  const { textReport } = await import('../../compiler/report/text.js')
  throw new CliError(textReport({ sources: [source], diagnostics }, { color: false, summaryOnly: false }).trimEnd())
}
