import type { ListedToken, TokenList } from '../../protocol/operator.js'
import { EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { print } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import { printedData, printedLines, reached, showFailure, type ConnectionOptions } from '../service/connection.js'
import { serviceAnswer } from '../service/operator-request.js'

export interface TreeOptions extends ConnectionOptions {
  readonly principal?: string
}

/** `svc token tree`. */
export async function printTree({ principal, ...options }: TreeOptions): Promise<ExitCode> {
  const tokens: ListedToken[] = []
  for (let cursor: string | undefined, more = true; more; more = cursor !== undefined) {
    const query = { principal, limit: '1000', cursor }
    const answer = await reached(serviceAnswer<TokenList>(options, { operation: 'operator_tokens', query }))
    if (!answer.success) return showFailure(answer.failure, options.json === true)
    tokens.push(...answer.result.tokens)
    cursor = answer.result.next_cursor
  }
  const lines = treeLines(tokens)
  print(
    options.json === true
      ? printedData({ tokens })
      : printedLines(lines.length === 0 ? 'No tokens.' : lines.join('\n')),
  )
  return EXIT.ok
}

/** Each token below the one that it came from; one whose parent is not among them stands by itself. */
function treeLines(tokens: readonly ListedToken[]): readonly string[] {
  const known = new Set(tokens.map(({ token_id }) => token_id))
  const below = new Map<string | undefined, ListedToken[]>()
  for (const token of tokens) {
    const parent =
      token.parent_token_id !== undefined && known.has(token.parent_token_id) ? token.parent_token_id : undefined
    below.set(parent, [...(below.get(parent) ?? []), token])
  }
  const linesBelow = (parent: string | undefined, depth: number): readonly string[] =>
    (below.get(parent) ?? []).flatMap((token) => [
      '  '.repeat(depth) + tokenLine(token),
      ...linesBelow(token.token_id, depth + 1),
    ])
  return linesBelow(undefined, 0)
}

const tokenLine = ({ token_id, state, subject, scope, budget, expires_at }: ListedToken): string =>
  [
    token_id,
    state,
    subject,
    scope.join(' '),
    budget === undefined ? '' : `${budget.max_amount} ${budget.currency}`,
    `until ${expires_at}`,
  ]
    .filter((part) => part !== '')
    .map(printable)
    .join('  ')
