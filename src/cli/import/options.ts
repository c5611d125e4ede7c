import type { UpstreamTerms } from '../../protocol/upstream-terms.js'
import { CliError } from '../shared/errors/cli-error.js'

/** What `svc import openapi` is given. */
export interface OpenApiOptions {
  readonly operation: readonly string[]
  readonly tag: readonly string[]
  readonly all: boolean
  readonly rename: readonly string[]
  readonly answers?: UpstreamTerms['answers']
  readonly list: boolean
  readonly into: string
  readonly name?: string
  readonly server?: string
}

/** Files, scopes and variables are named so: a name is no path, and no line of its own. */
export function refuseWrongName(name: string | undefined): void {
  if (name === undefined || /^[a-z][a-z0-9_]{0,39}$/u.test(name)) return
  throw new CliError(`--name ${JSON.stringify(name)} must be lower-case letters, digits and _, such as source_host.`)
}

export const isCapabilityName = (name: string): boolean => /^[a-z][a-z0-9_]{0,63}$/u.test(name)
