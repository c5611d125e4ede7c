import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseEnv } from 'node:util'

/** A setting as the service itself would find it: in the environment, else in `.env`; undefined where it is in neither. */
export function serviceSetting(root: string, name: string): string | undefined {
  const file = join(root, '.env')
  const settings = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {}
  return process.env[name] ?? settings[name]
}
