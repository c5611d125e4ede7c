import type {
  Block,
  BlockList,
  ListedToken,
  PausedCapabilities,
  TokenList,
  TokensRevocation,
  TokenTarget,
} from '../../protocol/operator.js'
import { TOKEN_TARGETS } from '../../protocol/operator.js'
import type { GrantRevocation } from '../../protocol/approval.js'
import { CliError, type ExitCode } from '../shared/errors/cli-error.js'
import { printable } from '../shared/output/printable.js'
import type { ConnectionOptions } from '../service/connection.js'
import { didYouMean } from '../service/meant.js'
import { askInRole } from '../service/operator-request.js'
import { shellWord } from '../../protocol/shell.js'

export interface TargetOptions extends ConnectionOptions {
  readonly principal?: string
  readonly subject?: string
  readonly apiKey?: string
  readonly capability?: string
  readonly token?: string
}

export interface TokensOptions extends TargetOptions {
  readonly state?: string
  readonly cursor?: string
}

export interface ReasonOptions extends ConnectionOptions {
  readonly reason: string
}

/** Option of the command line -> member of the request. */
const TARGET_OF: { readonly [target in TokenTarget]: Exclude<keyof TargetOptions, keyof ConnectionOptions> } = {
  principal: 'principal',
  subject: 'subject',
  api_key: 'apiKey',
  capability: 'capability',
  token_id: 'token',
}

/** `svc operate tokens`. */
export const operateTokens = (options: TokensOptions): Promise<ExitCode> => {
  const { principal, subject, apiKey: api_key, capability, state, cursor } = options
  const query = { principal, subject, api_key, capability, state, cursor }
  return askInRole<TokenList>(options, { operation: 'operator_tokens', query }, async (list) =>
    list.count === 0
      ? withHints('No tokens.', options)
      : [...list.tokens.map(tokenLine), ...next(list.next_cursor)].join('\n'),
  )
}

/** A line that says that nothing matched, and the names that were meant. */
async function withHints(line: string, options: TargetOptions): Promise<string> {
  const given = TOKEN_TARGETS.flatMap((target) => {
    const name = options[TARGET_OF[target]]
    return name === undefined ? [] : [didYouMean(options, TARGET_OF[target], name)]
  })
  return [line, ...(await Promise.all(given))].filter((part) => part !== '').join(' ')
}

const next = (cursor: string | undefined): readonly string[] =>
  cursor === undefined ? [] : [`More: --cursor ${printable(cursor)}`]

const tokenLine = ({ token_id, state, root_principal, subject, capability, credential, expires_at }: ListedToken) =>
  [token_id, state, `${root_principal} -> ${subject}`, capability ?? '', boughtBy(credential), `until ${expires_at}`]
    .filter((part) => part !== '')
    .map(printable)
    .join('  ')

const boughtBy = (credential: ListedToken['credential']): string =>
  credential === undefined
    ? ''
    : 'api_key' in credential
      ? `key ${credential.api_key}`
      : `account ${credential.subject}`

/** `svc operate end`. */
export const operateEnd = (options: TargetOptions & ReasonOptions): Promise<ExitCode> => {
  const given = TOKEN_TARGETS.filter((target) => options[TARGET_OF[target]] !== undefined)
  if (given.length !== 1)
    throw new CliError('Name exactly one of --principal, --subject, --api-key, --capability and --token.')
  const [target] = given as [TokenTarget]
  const body = { [target]: options[TARGET_OF[target]], reason: options.reason }
  const named = `${target === 'token_id' ? 'id' : target.replace('_', ' ')} ${printable(options[TARGET_OF[target]]!)}`
  return askInRole<TokensRevocation>(options, { operation: 'operator_revoke', body }, async ({ tokens, block }) => {
    const line = tokens === 0 ? await withHints('No live tokens matched.', options) : revokedLine(tokens, named)
    return [line, ...blockedLines(named, block)].join('\n')
  })
}

const revokedLine = (count: number, named: string): string =>
  count === 1
    ? `Revoked 1 token of ${named} and its child tokens.`
    : `Revoked ${count} tokens of ${named} and their child tokens.`

const blockedLines = (named: string, block: Block | undefined): readonly string[] =>
  block === undefined ? [] : [`Blocked ${named} until lifted: svc operate lift ${shellWord(block.block_id)}`]

/** `svc operate blocks`. */
export const operateBlocks = (options: ConnectionOptions): Promise<ExitCode> =>
  askInRole<BlockList>(options, { operation: 'operator_blocks' }, (list) =>
    list.count === 0 ? 'Nobody is blocked.' : list.blocks.map(blockLine).join('\n'),
  )

const blockLine = ({ block_id, kind, value, reason, created_at, lifted_at }: Block): string =>
  [block_id, lifted_at === undefined ? 'blocked' : 'lifted', `${kind} ${value}`, reason, lifted_at ?? created_at]
    .map(printable)
    .join('  ')

/** `svc operate lift`. */
export const operateLift = (id: string, options: ConnectionOptions): Promise<ExitCode> =>
  askInRole<Block>(
    options,
    { operation: 'operator_block_lift', segments: { id } },
    ({ kind, value }) => `Lifted: ${kind} ${printable(value)} may buy tokens again.`,
    () => didYouMean(options, 'block', id),
  )

/** `svc operate paused`. */
export const operatePaused = (options: ConnectionOptions): Promise<ExitCode> =>
  askInRole<PausedCapabilities>(options, { operation: 'operator_paused' }, pausedLines)

/** `svc operate pause` and `svc operate resume`. */
export const operatePause = (name: string, { reason, ...options }: ReasonOptions): Promise<ExitCode> =>
  askInRole<PausedCapabilities>(
    options,
    { operation: 'operator_pause', segments: { name }, body: { reason } },
    pausedLines,
    () => didYouMean(options, 'capability', name),
  )

export const operateResume = (name: string, { reason, ...options }: ReasonOptions): Promise<ExitCode> =>
  askInRole<PausedCapabilities>(
    options,
    { operation: 'operator_resume', segments: { name }, body: { reason } },
    pausedLines,
    () => didYouMean(options, 'capability', name),
  )

const pausedLines = ({ paused: list }: PausedCapabilities): string =>
  list.length === 0
    ? 'Nothing is paused.'
    : list
        .map(({ capability, reason, paused_by, paused_at }) =>
          [capability, 'paused', reason, paused_by, paused_at].map(printable).join('  '),
        )
        .join('\n')

/** `svc operate revoke-grant`. */
export const operateRevokeGrant = (id: string, { reason, ...options }: ReasonOptions): Promise<ExitCode> =>
  askInRole<GrantRevocation>(
    options,
    { operation: 'approval_grant_revoke', segments: { id }, body: { reason } },
    ({ grant_id }) => `Taken back: ${printable(grant_id)}.`,
  )
