import type { TraceContext } from '../../../protocol/trace-context.js'
import type { UpstreamTerms } from '../../../protocol/upstream-terms.js'
import type { ContextBase, Fail } from '../../definition.js'
import type { DeclaredEffect } from '../context.js'

/** How a call of a governed tool may fail; an imported capability declares them under `x-failures`. */
export type McpFailure = 'tool_changed' | 'upstream_refused' | 'upstream_unavailable'

export interface McpContext extends DeclaredEffect {
  /** Terms of upstream calls in the manifest (`x-upstream`). */
  readonly upstream?: UpstreamTerms
  /** The account of the root principal at this server. */
  readonly account?: ContextBase['account']
  /** Goes on in what is called. */
  readonly trace?: TraceContext
  readonly signal: AbortSignal
  readonly fail: Fail<McpFailure>
}

export interface McpOperation {
  readonly tool: string
  /** Whether it changes nothing, unless its capability declares an effect: else a missing answer leaves it unknown. */
  readonly reads?: true
  /** ms that the tool may take; else what holds for all tools of the server. */
  readonly timeoutMs?: number
  /** Input -> what the tool calls it, where the two differ. */
  readonly renamed?: { readonly [input: string]: string }
}
