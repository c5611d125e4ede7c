import { entriesOf, issued, subjectOf, type ServiceUnderTest } from './target.js'

const MOST_TRIED = 40

/** A token of another credential than the developer's, of any scope that it may have; undefined if it may have none. */
export async function tokenBy(target: ServiceUnderTest, credential: string): Promise<string | undefined> {
  const capabilities = entriesOf(target.manifest['capabilities'])
  const approvals = capabilities
    .filter(([, { approval }]) => approval !== undefined)
    .map(([name]) => `approver:${name}`)
  for (const scope of [...target.scopes, ...approvals].slice(0, MOST_TRIED)) {
    const reply = await target.post('/svc/tokens', credential, { scope: [scope] })
    if (reply.status === 200) return issued(reply).token
  }
  return undefined
}

/** False where a credential is of the developer, too: the same one, or another of the same principal. */
export async function isAnother(target: ServiceUnderTest, credential: string): Promise<boolean> {
  if (credential === target.credentials.developer) return false
  const token = await tokenBy(target, credential)
  return token === undefined || subjectOf(token) !== target.principal
}
