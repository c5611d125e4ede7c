/** How a client of MCP judges results: as it comes, or without making code where that is forbidden (S05). */
import { CfWorkerJsonSchemaValidator } from '@modelcontextprotocol/client/validators/cf-worker'

/** Whether this process may make no code from text. */
export const makesNoCode = process.execArgv.includes('--disallow-code-generation-from-strings')

export const validating: object = makesNoCode ? { jsonSchemaValidator: new CfWorkerJsonSchemaValidator() } : {}
