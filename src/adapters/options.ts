import type { Governance } from '../client/governance.js'
import type { Tool } from '../protocol/tools.js'

/** Part of a generated client that an adapter uses. */
export type ToolClient = Pick<Governance<unknown>, 'invoke' | 'permissions' | 'audit' | 'approvals'>

export interface ToolOptions {
  /**
   * Mode for calls that need an approval. `pause` (the default) stops the run by the framework's own mechanism, and
   * resuming continues it; `wait` keeps the call open until the request is decided.
   */
  readonly approval?: 'pause' | 'wait'
  /**
   * Names the conversation. Some models number their calls from 1 in each conversation: the name keeps the calls of one
   * apart from those of another, also after a restart, so give the same one to resume.
   */
  readonly conversation?: string
  /** Goes with each call, onto the trail. */
  readonly task_id?: string
  /** The longest result, in characters of JSON, that is shown to the model; 200,000 when absent. */
  readonly maxResultCharacters?: number
  /**
   * Is given what was thrown below a call, as by an unreachable service. The model only reads that the service gave no
   * answer.
   */
  readonly onError?: (error: unknown, tool: Tool) => void
}

/** Settings shared by the calls of one set of tools. */
export interface Toolbox {
  readonly client: ToolClient
  readonly options: ToolOptions
}

/** One call that a model makes. */
export interface ToolCall {
  readonly tool: Tool
  readonly input: unknown
  /** The framework's; none where a tool is called by hand. */
  readonly callId: string | undefined
  readonly signal?: AbortSignal | undefined
}
