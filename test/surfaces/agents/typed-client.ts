import { connect, type Governance } from '../../../src/client/index.js'
import type { Tool } from '../../../src/protocol/tools.js'
import type { AnyOutcome, Registration } from '../../../src/client/invoke.js'
import type { PendingCall } from '../../../src/client/pending-call.js'
import type { Agent, Place, Shown, Turn } from './agent.js'

export interface Client extends Governance<Client> {}

/** The client that `svc build` would write for these tools. */
export const clientOf = ({ url, token, tools, limits }: Place): Client =>
  connect<Client>({ baseUrl: url, credential: token, ...limits }, registryOf(tools) as never)

const registryOf = (tools: readonly Tool[]): { readonly [method: string]: Registration } =>
  Object.fromEntries(
    tools.map(({ capability, effect, approval }) => [
      capability,
      { capability, effect, ...(approval !== 'never' && { approvable: true }) },
    ]),
  )

/** The typed client itself as a surface. */
export const agentOf = (client: Client): Agent => ({
  list: async () => {
    const answer = await client.permissions()
    if (!answer.success) throw new Error(answer.failure.type)
    return answer.result.available.map(({ capability }) => capability)
  },
  call: async (capability, input, { id, task } = {}) =>
    turnOf(
      await client.invoke(capability, input, {
        ...(id !== undefined && { idempotency_key: id }),
        ...(task !== undefined && { task_id: task }),
      }),
    ),
  resume: async (state, yes) => {
    const pending = state as PendingCall
    if (!yes) await client.approvals.withdraw(pending.approval_request_id)
    return turnOf(await client.resume(pending))
  },
})

export const typedClient = async (place: Place): Promise<Agent> => agentOf(clientOf(place))

export function turnOf(outcome: AnyOutcome): Turn {
  if (outcome.success) return { shown: outcome.result as Shown, state: null }
  const { failure, invocation_id } = outcome
  const pending = 'pending' in failure ? failure.pending : undefined
  const shown = { failure, ...(invocation_id && { invocation_id }) } as object as Shown
  return { shown, state: pending ?? null }
}
