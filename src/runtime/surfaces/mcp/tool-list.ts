import type { Tool as McpTool } from '@modelcontextprotocol/server'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { Tool } from '../../../protocol/tools.js'
import type { Token } from '../../auth/token.js'
import { permissionsOf } from '../../call/permissions.js'
import type { Service } from '../../service.js'

/** The member with which a client of the legacy era continues a call that was approved. */
export const APPROVAL_MEMBER = '_approval'

export type Era = 'legacy' | 'modern'

/** Form of a list of tools. */
export interface ListOptions {
  readonly era: Era
  /** Schemas of results: a third of the list, which models pay for. */
  readonly outputSchemas?: boolean | undefined
}

/** The tools that a token may call: what the permissions evaluator says is available, and nothing else (threat N18). */
export function listedTools(
  service: Service,
  tools: readonly Tool[],
  token: Token,
  { era, outputSchemas }: ListOptions,
): McpTool[] {
  const available = new Set(permissionsOf(service, token).available.map(({ capability }) => capability))
  return tools
    .filter(({ capability }) => available.has(capability))
    .map((tool) => mcpToolOf(tool, { era, outputSchemas }))
}

/** A tool as MCP describes it. Everything comes from the manifest. */
export const mcpToolOf = (tool: Tool, { era, outputSchemas = false }: ListOptions): McpTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: inputSchemaOf(tool, era) as McpTool['inputSchema'],
  ...(outputSchemas && { outputSchema: outputSchemaOf(tool) as McpTool['outputSchema'] }),
  annotations: {
    title: tool.title,
    readOnlyHint: tool.effect === 'read',
    destructiveHint: tool.effect === 'transactional' || tool.effect === 'irreversible',
    idempotentHint: tool.effect === 'read',
    openWorldHint: tool.financial,
  },
  _meta: {
    'svc-kit/capability': {
      name: tool.capability,
      contract_version: tool.contract_version,
      side_effect: tool.effect,
      minimum_scope: tool.minimum_scope,
      approval: tool.approval,
    },
  },
})

const APPROVAL_SCHEMA = {
  type: 'string',
  description: 'Only to go on after an approval: the approval_request_id of the earlier answer to this very call.',
}

function inputSchemaOf(tool: Tool, era: Era): JsonObject {
  if (!takesApproval(tool, era)) return tool.input_schema
  const properties = tool.input_schema['properties'] as JsonObject
  return { ...tool.input_schema, properties: { ...properties, [APPROVAL_MEMBER]: APPROVAL_SCHEMA } }
}

/** Checks whether a call may need an approval, and no input of the capability has the name. */
export const takesApproval = ({ approval, input_schema }: Tool, era: Era): boolean =>
  era === 'legacy' &&
  approval !== 'never' &&
  !Object.hasOwn((input_schema['properties'] ?? {}) as object, APPROVAL_MEMBER)

/** Clients of version 1 of the SDK compare a failure with this schema, too. */
const outputSchemaOf = ({ output_schema }: Tool): JsonObject => ({
  type: 'object',
  anyOf: [output_schema, { type: 'object', required: ['failure'], properties: { failure: { type: 'object' } } }],
})
