import type { Agent } from './agent.js'

export function sessionOf(given: {
  readonly ai: object
  readonly Model: unknown
  readonly settings: (task?: string) => Promise<object>
}): Agent
