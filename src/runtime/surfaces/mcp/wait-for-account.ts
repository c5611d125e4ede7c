/** One tool call that spans the consent of a person: rounds of waiting, as for a decision. */
import { setTimeout as sleep } from 'node:timers/promises'
import { inputRequired, type InputRequiredResult } from '@modelcontextprotocol/server'
import type { Capability } from '../../../protocol/manifest.js'
import { takeWaitOf } from '../../auth/held-places.js'
import type { Token } from '../../auth/token.js'
import { stepCapabilitiesOf } from '../../call/checks/deciding-facts.js'
import { isConnected } from '../../connections/required.js'
import { Refusal } from '../../errors/refusal.js'
import type { Service } from '../../service.js'
import type { CallState, McpConnection } from './connection.js'
import { MOST_ROUNDS, ROUND_SECONDS } from './rounds.js'

type Connecting = CallState & { readonly connecting: number }

export const isConnecting = (state: CallState | undefined): state is Connecting => state?.connecting !== undefined

/** Asks the client to open the page where the person connects an account. */
export const openConnectPage = async (
  { states }: McpConnection,
  state: Connecting,
  title: string,
  url: string,
): Promise<InputRequiredResult> =>
  inputRequired({
    inputRequests: {
      connection: inputRequired.elicitUrl({
        message: `${title} acts in an account of yours. Open the page to connect it.`,
        url,
      }),
    },
    requestState: await states.mint(state),
  })

/** One round: returns undefined once the call is to be made again, which finds out whether it can be. */
export async function waitForAccounts(
  { service, states, tools }: McpConnection,
  state: Connecting,
  token: Token,
): Promise<InputRequiredResult | undefined> {
  const capability = service.capabilities.get(tools.get(state.tool)?.capability ?? '')
  if (capability === undefined || (await isConnectedSoon(service, capability, token))) return undefined
  if (state.connecting >= MOST_ROUNDS) return undefined
  return inputRequired({ requestState: await states.mint({ ...state, connecting: state.connecting + 1 }) })
}

const LOOK_EVERY_MS = 250

/** The person may connect at another replica, so storage is asked. */
async function isConnectedSoon(service: Service, capability: Capability, token: Token): Promise<boolean> {
  const used = [capability, ...(stepCapabilitiesOf(service.capabilities, capability) ?? [])]
  const { lifecycle, limits } = service
  const until = performance.now() + Math.min(ROUND_SECONDS, limits.longPollSeconds) * 1000
  const release = placeFor(service, token)
  if (release === undefined) return true
  try {
    for (;;) {
      if (await isConnected(service, used, token)) return true
      if (lifecycle.draining || until - performance.now() < LOOK_EVERY_MS) return false
      await sleep(LOOK_EVERY_MS)
    }
  } finally {
    release()
  }
}

/** A principal without a free place does not wait: the call is made again at once. */
function placeFor(service: Service, token: Token): (() => void) | undefined {
  try {
    return takeWaitOf(service, token)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
