import { expect } from 'vitest'
import type { Agent, CallOptions, Failure, Place, Turn } from './agents/agent.js'
import type { Surface } from './surfaces.js'
import type { Asked, World } from './world.js'

/** A service and an agent at it. */
export interface Stage extends World {
  readonly agent: Agent
  /** Another agent of the same surface; or the same one after a restart. */
  readonly another: (place?: Partial<Place>) => Promise<Agent>
}

export interface Scenario {
  readonly name: string
  /** Surface -> why the scenario cannot be played on it. */
  readonly notOn?: { readonly [surface in Surface]?: string }
  readonly play: (stage: Stage) => Promise<void>
}

/** The same reason for several surfaces. */
export const because = (reason: string, surfaces: readonly Surface[]): NonNullable<Scenario['notOn']> =>
  Object.fromEntries(surfaces.map((surface) => [surface, reason]))

export const failureOf = ({ shown }: Turn): Failure => {
  if (shown?.failure === undefined) throw new Error(`No failure, but ${JSON.stringify(shown)}.`)
  return shown.failure
}

/** Holds where the call is refused with this type, or where the surface refuses the connection for it. */
export async function expectRefused(called: () => Promise<Turn>, type: string): Promise<void> {
  const outcome = await called().then(failureOf, (error: unknown) => ({ type: String(error) }))
  expect(outcome.type).toMatch(new RegExp(`${type}|HTTP 401|Unauthorized|AUTH|401`, 'u'))
}

/** Asks for an approval: the framework pauses, or the caller is told to wait. */
export async function ask(
  { agent, requests, effects }: Stage,
  capability: string,
  input: object,
  options?: CallOptions,
): Promise<{ readonly turn: Turn; readonly request: Asked }> {
  const before = effects.length
  const turn = await agent.call(capability, input, options)
  if (turn.paused !== true) expect(failureOf(turn).type).toBe('approval_required')
  const [request] = await requests()
  expect([request?.status, effects.length]).toEqual(['pending', before])
  return { turn, request: request! }
}
