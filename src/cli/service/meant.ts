import { nearest, question } from '../../compiler/nearest.js'
import { ENDPOINTS } from '../../protocol/endpoints.js'
import type { Manifest } from '../../protocol/manifest.js'
import type { BlockList, TokenList } from '../../protocol/operator.js'
import { printable } from '../shared/output/printable.js'
import { serviceAt, type ConnectionOptions } from './connection.js'
import { serviceAnswer, type OperatorAsk } from './operator-request.js'
import { readFromService } from './read-from-service.js'

/** Kind of a name that a person types -> the names of that kind that the service has, as far as the credential may see them. */
const KNOWN = {
  capability: async (options) => Object.keys((await manifestOf(options)).capabilities ?? {}),
  scope: async (options) => scopesOf(await manifestOf(options)),
  request: async (options) => {
    const answer = await serviceAt(options).approvals.list()
    return answer.success ? answer.result.approval_requests.map((each) => each.approval_request_id) : []
  },
  block: async (options) =>
    listed(await asked<BlockList>(options, 'operator_blocks'), ({ blocks }) => blocks.map((each) => each.block_id)),
  token: (options) => ofTokens(options, ({ token_id }) => [token_id]),
  principal: (options) => ofTokens(options, ({ root_principal }) => [root_principal]),
  subject: (options) => ofTokens(options, ({ subject }) => [subject]),
  apiKey: (options) => ofTokens(options, ({ credential }) => credential !== undefined && 'api_key' in credential ? [credential.api_key] : []), // prettier-ignore
} as const satisfies { readonly [kind: string]: (options: ConnectionOptions) => Promise<readonly string[]> }

/** `Did you mean …?`, where the service has no such name and one near it; an empty text otherwise, also where it does not say. */
export async function didYouMean(options: ConnectionOptions, kind: keyof typeof KNOWN, name: string): Promise<string> {
  const known: readonly string[] = await KNOWN[kind](options).catch(() => [])
  return known.includes(name) ? '' : printable(question(nearest(name, known))).trim()
}

const manifestOf = (options: ConnectionOptions): Promise<Partial<Manifest>> =>
  readFromService<Partial<Manifest>>(options, ENDPOINTS.manifest.path)

const scopesOf = ({ capabilities = {}, approvals }: Partial<Manifest>): readonly string[] => [
  ...Object.values(capabilities).flatMap(({ minimum_scope }) => minimum_scope),
  ...(approvals?.approver_scope === undefined ? [] : [approvals.approver_scope]),
]

async function asked<Result>(
  options: ConnectionOptions,
  operation: OperatorAsk['operation'],
): Promise<Result | undefined> {
  const answer = await serviceAnswer<Result>(options, { operation })
  return answer.success ? answer.result : undefined
}

const listed = <Result>(result: Result | undefined, names: (result: Result) => readonly string[]): readonly string[] =>
  result === undefined ? [] : names(result)

const ofTokens = async (
  options: ConnectionOptions,
  names: (token: TokenList['tokens'][number]) => readonly string[],
): Promise<readonly string[]> =>
  listed(await asked<TokenList>(options, 'operator_tokens'), ({ tokens }) => tokens.flatMap(names))
