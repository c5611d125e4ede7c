import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { stateAt } from '../../crypto/keys/stored-key.js'
import type { Manifest } from '../../protocol/manifest.js'
import { upstreamTermsOf } from '../../protocol/upstream-terms.js'
import { serviceSetting } from '../shared/files/service-setting.js'
import { fine, wrong, type Examination } from './examination.js'

/** Holds a key that encrypts the accounts of people, where capabilities use some. */
export const connectionsHaveKey: Examination = {
  name: 'connections',
  of: async (root) => {
    const folder = resolve(root, serviceSetting(root, 'SVC_KEYS') ?? 'keys')
    const isElsewhere = serviceSetting(root, 'SVC_SIGNER') !== undefined || !existsSync(folder)
    if (isElsewhere || !existsSync(join(root, 'svc.yaml'))) return undefined
    const upstreams = await usedAccounts(root)
    if (upstreams.length === 0) return undefined
    const { secretKeysIn } = await import('../keys/directory.js')
    const secrets = (await secretKeysIn(folder)).filter(({ role }) => role === 'connections')
    const active = secrets.find((each) => stateAt(each, Date.now()) === 'active')
    const accounts = `Accounts of people at ${upstreams.join(', ')}`
    return active === undefined
      ? wrong(`${accounts} have no key that encrypts them.`, 'Run: svc keys generate --role connections')
      : fine(`${accounts}, encrypted by ${active.kid}`)
  },
}

/** Returns the upstream systems that a valid manifest names. */
async function usedAccounts(root: string): Promise<readonly string[]> {
  const { readManifest } = await import('../validate/read-manifest.js')
  const { check } = await import('../../compiler/check.js')
  const { sources, includeProblems } = await readManifest(relative(process.cwd(), join(root, 'svc.yaml')))
  const manifest: Manifest | undefined = check(sources, { includeProblems, now: Date.now() }).manifest
  const named = Object.values(manifest?.capabilities ?? {}).flatMap((each) => upstreamTermsOf(each)?.connection ?? [])
  return [...new Set(named)].toSorted()
}
