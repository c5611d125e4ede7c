import { existsSync } from 'node:fs'
import { check } from '../../compiler/check.js'
import { nearest } from '../../compiler/nearest.js'
import { tierScopes } from '../../protocol/approver-scopes.js'
import { approverScope } from '../../protocol/identifiers.js'
import type { Manifest } from '../../protocol/manifest.js'
import { CliError } from '../shared/errors/cli-error.js'
import { say } from '../shared/output/say.js'
import { readManifest } from '../validate/read-manifest.js'

const MANIFEST = 'svc.yaml'

/**
 * A scope that the manifest of this folder does not know buys nothing: it is misspelt. Without a manifest nobody can
 * tell.
 */
export async function refuseUnknownScopes(scopes: readonly string[]): Promise<void> {
  if (scopes.length === 0) return
  const known = existsSync(MANIFEST) ? await scopesOfManifest() : undefined
  if (known === undefined) return say(`note: the scopes were not checked: there is no ${MANIFEST} without errors here`)
  const unknown = scopes.find((scope) => !known.includes(scope))
  if (unknown === undefined) return
  const near = nearest(unknown, known)
  throw new CliError(
    `No capability of ${MANIFEST} needs the ` +
      `scope ${JSON.stringify(unknown)}.${near === undefined ? '' : ` Is it ${near}?`} There ` +
      `are ${known.join(', ')}.`,
  )
}

/** Every scope that a capability of the manifest of this folder needs, which are those that do not approve. */
export async function neededScopes(): Promise<readonly string[]> {
  const manifest = existsSync(MANIFEST) ? await manifestHere() : undefined
  if (manifest === undefined)
    throw new CliError(
      `Name what the key may do with --scope, --role or --no-scopes: there is no ${MANIFEST} without errors here.`,
    )
  return [...new Set(Object.values(manifest.capabilities).flatMap(({ minimum_scope }) => minimum_scope))].toSorted()
}

async function manifestHere(): Promise<Manifest | undefined> {
  const { sources, includeProblems } = await readManifest(MANIFEST)
  return check(sources, { preset: 'minimal', includeProblems }).manifest
}

async function scopesOfManifest(): Promise<readonly string[] | undefined> {
  const manifest = await manifestHere()
  if (manifest === undefined) return undefined
  const { capabilities, approvals } = manifest
  const needed = Object.values(capabilities).flatMap(({ minimum_scope }) => minimum_scope)
  const approving = Object.entries(capabilities).flatMap(([name, { approval }]) =>
    approval ? [approverScope(name)] : [],
  )
  return [
    ...new Set([
      ...needed,
      ...approving,
      ...tierScopes(capabilities),
      ...(approvals.approver_scope === undefined ? [] : [approvals.approver_scope]),
    ]),
  ].toSorted()
}
