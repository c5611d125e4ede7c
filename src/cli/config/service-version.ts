import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { FORMATS } from '../../compiler/shape/formats.js'
import { UNVERSIONED } from '../../protocol/version.js'
import { CliError } from '../shared/errors/cli-error.js'

/**
 * The version of the service: that of the `package.json` beside the manifest, which its client, its OpenAPI document and
 * its MCP server go by. 0.0.0 where there is no such file, or no version in it.
 */
export function versionOfService(root: string): string {
  const version = versionIn(root)
  if (version === undefined) return UNVERSIONED
  if (typeof version === 'string' && FORMATS.semver.pattern.test(version)) return version
  throw new CliError(
    `"version" in package.json is ${JSON.stringify(version)}, which is no semantic version. Set one: npm version 1.0.0`,
  )
}

/** A `package.json` that cannot be read says nothing here: npm and the bundler name what is wrong with it. */
function versionIn(root: string): unknown {
  try {
    return (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version?: unknown } | null)
      ?.version
  } catch {
    return undefined
  }
}
