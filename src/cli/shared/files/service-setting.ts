import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/**
 * Returns a setting as the service itself would find it: from the environment, else from `.env` where `main.ts` loads
 * that, else the default that `main.ts` writes beside its name; undefined where none of them has it.
 */
export function serviceSetting(root: string, name: string): string | undefined {
  const main = textOf(join(root, 'main.ts'))
  return (
    process.env[name] ?? (main === undefined || LOADS.test(main) ? settingsOf(root) : {})[name] ?? defaultIn(main, name)
  )
}

const LOADS = /\bloadEnvFile\b/u
const ENVIRONMENT = /\{([^{}]*)\}\s*=\s*process\.env\b/u

const settingsOf = (root: string): NodeJS.Dict<string> => parseEnv(textOf(join(root, '.env')) ?? '')

/** The default of a name in `const { NAME = 'default' } = process.env`. */
function defaultIn(main: string | undefined, name: string): string | undefined {
  const names = ENVIRONMENT.exec(main ?? '')?.[1] ?? ''
  return new RegExp(`(?:^|[\\s,])${name}\\s*=\\s*(['"])(.*?)\\1`, 'u').exec(names)?.[2]
}

const textOf = (file: string): string | undefined => (existsSync(file) ? readFileSync(file, 'utf8') : undefined)
