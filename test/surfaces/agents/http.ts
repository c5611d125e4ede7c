import type { Agent, Place, Shown, Turn } from './agent.js'

/** An answer of an endpoint, before anybody reads it. */
export type Body = { readonly [member: string]: unknown }

interface Made {
  readonly capability: string
  readonly input: object
  readonly request?: string
}

/** Asks an endpoint: by method and path over HTTP, by its name over stdio. */
export type Ask = (
  endpoint: 'permissions' | 'invoke' | 'withdraw',
  given: { readonly segment?: string; readonly body?: object; readonly key?: string },
) => Promise<Body>

/** An agent that speaks the interface itself. */
export function rawAgent(ask: Ask): Agent {
  const call = async (capability: string, input: object, id?: string, task?: string): Promise<Turn> => {
    const body = { parameters: input, approval: 'continue', ...(task !== undefined && { task_id: task }) }
    return turnOf({ capability, input }, await ask('invoke', { segment: capability, body, ...(id !== undefined && { key: id }) })) // prettier-ignore
  }
  return {
    list: async () => {
      const { available, failure } = await ask('permissions', { body: {} })
      if (failure !== undefined) throw new Error((failure as { readonly type: string }).type)
      return (available as readonly { readonly capability: string }[]).map((each) => each.capability)
    },
    call: (capability, input, { id, task } = {}) => call(capability, input, id, task),
    resume: async (state, yes) => {
      const { capability, input, request } = state as Made
      if (yes) return call(capability, input)
      return turnOf(state as Made, await ask('withdraw', { segment: request!, body: {} }))
    },
  }
}

function turnOf(made: Made, { result, failure, invocation_id }: Body): Turn {
  const request = (failure as { readonly approval_request_id?: string } | undefined)?.approval_request_id
  const shown = failure === undefined ? result : { failure, ...(invocation_id !== undefined && { invocation_id }) }
  return { shown: (shown ?? {}) as Shown, state: request === undefined ? made : { ...made, request } }
}

const PATHS = {
  permissions: () => '/svc/permissions',
  invoke: (segment: string) => `/svc/invoke/${segment}`,
  withdraw: (segment: string) => `/svc/approval_requests/${segment}/withdraw`,
}

export const http = async ({ url, token }: Place): Promise<Agent> =>
  rawAgent(async (endpoint, { segment = '', body, key }) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      ...(key !== undefined && { 'Idempotency-Key': key }),
    }
    const response = await fetch(`${url}${PATHS[endpoint](segment)}`, { method: 'POST', headers, body: JSON.stringify(body) }) // prettier-ignore
    return (await response.json()) as Body
  })
