import type { RequestStateCodec, Server } from '@modelcontextprotocol/server'
import type { Tool } from '../../../protocol/tools.js'
import type { Service } from '../../service.js'
import type { McpOptions } from './options.js'
import type { Era } from './tool-list.js'

/** What a tool call of one connection, or one HTTP request, has at hand. */
export interface McpConnection {
  readonly service: Service
  readonly server: Server
  readonly era: Era
  /** By their names. */
  readonly tools: ReadonlyMap<string, Tool>
  readonly options: McpOptions
  readonly states: RequestStateCodec<CallState>
  /** The delegation token of the caller; read again at each call. */
  readonly bearer: () => Promise<string>
  readonly client: string
}

/** What a call that waits leaves with the client: ids, signed, of no worth to anybody else. */
export interface CallState {
  /** The tool, and a digest of who calls. */
  readonly tool: string
  readonly caller: string
  /** The approval request, how often it was waited for, and the Idempotency-Key of the continuation. */
  readonly request?: string
  readonly round?: number
  readonly key?: string
}
