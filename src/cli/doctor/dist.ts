/** Checks what `svc build` wrote from outside: `svc doctor --dist`, with a key id that did not come from there. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { verifyManifest } from '../../crypto/jws/published-manifest.js'
import { readPublishedKeys } from '../../crypto/keys/published-keys.js'
import { distTrouble, PUBLISHED } from '../../runtime/keys/dist-digests.js'
import { publicationOf } from '../../runtime/keys/published-trouble.js'
import { pinned, rolesTrouble } from '../verify/origin.js'
import { signatureJudge } from '../verify/signature-judge.js'
import { trustedKeys } from '../verify/trusted-keys.js'
import { fine, wrong, type Diagnosis, type Examination } from './examination.js'

/** Examines a folder; its argument is the folder. */
export const distExaminations = (manifestKids: readonly string[]): readonly Examination[] => [
  { name: 'signature', of: (folder) => signatureIn(folder, manifestKids) },
  { name: 'files', of: filesAreSigned },
]

const SIGN_AGAIN = 'Take the folder from where it was signed, or sign it again: svc sign'

async function signatureIn(folder: string, kids: readonly string[]): Promise<Diagnosis> {
  const missing = Object.values(PUBLISHED).find((name) => !existsSync(join(folder, name)))
  if (missing !== undefined) return wrong(`There is no ${join(folder, missing)}.`, 'Sign the manifest: svc sign')
  if (kids.length === 0)
    return wrong(
      'Nothing says whose key signed the manifest.',
      'Name the key, as svc keys list --role manifest --kids prints it where it signs: --manifest-kid <kid>',
    )
  const { verify, confirm } = signatureJudge()
  const keys = pinned(await trustedKeys(join(folder, PUBLISHED.jwks)), kids)
  const signature = readFileSync(join(folder, PUBLISHED.signature), 'latin1').trim()
  const judged = verifyManifest(readFileSync(join(folder, PUBLISHED.manifest)), signature, keys, Date.now(), verify)
  const { findings, kid, document } = judged
  const roles = document === undefined ? [] : rolesTrouble(kid, readPublishedKeys(document))
  const troubles = [...findings.map(({ message }) => message), ...roles, ...(await confirm())]
  return troubles.length === 0
    ? fine(`${join(folder, PUBLISHED.manifest)} is signed by ${kid}`)
    : wrong(troubles.join('\n'), SIGN_AGAIN)
}

/** Compares the files with the list whose digest the manifest states; that it is signed is the question before. */
async function filesAreSigned(folder: string): Promise<Diagnosis | undefined> {
  if (!existsSync(join(folder, PUBLISHED.manifest))) return undefined
  const { digests } = publicationOf({ bytes: readFileSync(join(folder, PUBLISHED.manifest)), signature: '' })
  if (digests === undefined)
    return wrong('The manifest states no digest of the files beside it.', 'Sign in the folder of the build: svc sign')
  const troubles = await distTrouble(folder, digests, [])
  return troubles.length === 0
    ? fine('every file is as it was signed, and none was added')
    : wrong(troubles.join('\n'), SIGN_AGAIN)
}
