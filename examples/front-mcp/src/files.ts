import { mcpUpstream, type McpUpstream } from 'svc-kit/upstream'
import { PINNED } from './files.pinned.js'

/** The MCP server behind. Of the environment it gets what is pinned, and no more. */
export const filesUpstream: McpUpstream = mcpUpstream(PINNED, () => process.env)
