import { join } from 'node:path'
import type { Manifest } from '../../protocol/manifest.js'
import type { Budget } from '../../protocol/token.js'
import { connect } from '../../client/index.js'
import type { AnyService } from '../service/connection.js'
import { replaceFile } from '../shared/files/replace-file.js'
import { DEV_FOLDER, makeDevFolder } from '../shared/files/dev-folder.js'
import { devKeyOf, everyScopeOf } from './identities.js'

export const AGENT_TOKEN = `${DEV_FOLDER}/agent.token`

/** The token is made anew when this much of its life is over. */
const RENEWED_AT = 0.75

/** A timer beyond it ends at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1

/** Budget per call. */
const MOST = 1000

/** A budget, where a capability asks for one and all costs are in one currency. */
function budgetFor(capabilities: Manifest['capabilities']): { readonly budget?: Budget } {
  const all = Object.values(capabilities)
  const currencies = new Set(all.flatMap(({ cost }) => cost?.financial?.currency ?? []))
  const [currency] = currencies
  const isAsked = all.some(({ control_requirements = [] }) =>
    control_requirements.some(({ type }) => type === 'cost_ceiling'),
  )
  return isAsked && currency !== undefined && currencies.size === 1 ? { budget: { currency, max_amount: MOST } } : {}
}

/** Writes a token with which an agent of the developer may call everything; makes it anew before it ends. */
export async function keepAgentToken(
  root: string,
  url: string,
  capabilities: Manifest['capabilities'],
): Promise<() => void> {
  let timer: NodeJS.Timeout | undefined
  const issue = async (): Promise<void> => {
    const developer = connect<AnyService>({ baseUrl: url, credential: devKeyOf(root, 'developer') }, {})
    const issued = await developer.delegate({
      scope: everyScopeOf(capabilities),
      subject: 'agent:assistant',
      ...budgetFor(capabilities),
    })
    if (!issued.success) throw new Error(issued.failure.detail)
    const { token, expires_at } = issued.token
    makeDevFolder(root)
    await replaceFile(join(root, AGENT_TOKEN), `${token}\n`, 0o600)
    const renewedIn = (Date.parse(expires_at) - Date.now()) * RENEWED_AT
    timer = setTimeout(() => void issue().catch(() => undefined), Math.min(renewedIn, LONGEST_TIMER_MS))
    timer.unref()
  }
  await issue()
  return () => clearTimeout(timer)
}
