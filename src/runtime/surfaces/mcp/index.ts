/**
 * A service as an MCP server (`svc-kit/mcp`). Needs the package `@modelcontextprotocol/server` beside it.
 *
 * @example
 * import { mcp, serveMcpStdio } from 'svc-kit/mcp'
 * if (process.argv.includes('--mcp')) return serveMcpStdio(service, { tokenFile: SVC_TOKEN_FILE })
 * await serve(service, { surfaces: [mcp()] })
 */
import { serveOverStreams } from '../../lifecycle/process.js'
import type { Surface } from '../surface.js'
import type { Service } from '../../service.js'
import { isMcpPath, mcpOverHttp } from './http.js'
import type { McpOptions } from './options.js'
import { mcpOverStdio } from './stdio.js'
import { METADATA_PATH } from './unauthorized.js'

export type { McpOptions, McpProfile, McpPrompt, McpResource, PromptArgument, PromptPart } from './options.js'
export type { Surface } from '../surface.js'

/** MCP over HTTP at `/mcp`, for `serve(service, { surfaces: [mcp()] })`. */
export const mcp = (options: McpOptions = {}): Surface => ({
  answers: isMcpPath,
  wellKnown: [METADATA_PATH],
  open: (service, { publicUrl }) => mcpOverHttp(service, { ...(publicUrl !== undefined && { publicUrl }), ...options }),
})

export interface McpStdioOptions extends McpOptions {
  /** A file with a delegation token, read again at each call. */
  readonly tokenFile?: string | undefined
  /** A delegation token, where there is no file. */
  readonly token?: string | undefined
}

/** Serves one MCP client over stdio until it goes. Logs go to standard error. */
export const serveMcpStdio = (
  service: Service,
  { tokenFile, token, ...options }: McpStdioOptions = {},
): Promise<void> =>
  serveOverStreams(service, (input, output) =>
    mcpOverStdio(service, options, { file: tokenFile, token }, input, output),
  )
