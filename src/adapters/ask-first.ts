/** The call that an approval hook makes: it asks the service whether, and whom, the framework is to wait for. */
import type { AnyOutcome } from '../client/invoke.js'
import { waitsFor } from './asked.js'
import { callForModel } from './call-tool.js'
import type { ToolCall, Toolbox } from './options.js'
import { referenceKeyOf } from './reference.js'

/**
 * Outcomes of hooks whose calls are not executed yet. A lost one is no loss: the service gives it again under its key.
 */
export type Kept = Map<string, AnyOutcome>

const MOST_KEPT = 256

/**
 * The id of the request for which the framework is to pause, or undefined. A capability that needs an approval for some
 * calls alone shows which by being called; where it was none, the outcome is kept for `takeOrCall`.
 */
export async function askFirst(toolbox: Toolbox, kept: Kept, call: ToolCall): Promise<string | undefined> {
  if (!mayPause(toolbox, call)) return undefined
  const outcome = await callForModel(toolbox, call)
  const request = waitsFor(outcome)
  if (request === undefined) keep(kept, await referenceKeyOf(toolbox.options, call), outcome)
  return request
}

/** Without an id nothing could find the call again. */
export const mayPause = ({ options }: Toolbox, { tool, callId }: ToolCall): boolean =>
  options.approval !== 'wait' && tool.approval !== 'never' && callId !== undefined

/** The outcome that the hook kept, or that of the call. */
export async function takeOrCall(toolbox: Toolbox, kept: Kept, call: ToolCall): Promise<AnyOutcome> {
  if (!mayPause(toolbox, call)) return callForModel(toolbox, call)
  const key = await referenceKeyOf(toolbox.options, call)
  const outcome = kept.get(key)
  kept.delete(key)
  return outcome ?? callForModel(toolbox, call)
}

function keep(kept: Kept, key: string, outcome: AnyOutcome): void {
  for (const oldest of kept.keys()) {
    if (kept.size < MOST_KEPT) break
    kept.delete(oldest)
  }
  kept.set(key, outcome)
}
