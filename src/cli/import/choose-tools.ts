import type { ChosenTool } from '../../compiler/mcp-tools/tool-capability.js'
import type { ToolCost } from '../../compiler/mcp-tools/print-tools.js'
import type { UpstreamTool } from '../../runtime/upstream/index.js'
import { decimalsOf } from '../../protocol/money.js'
import type { UpstreamTerms } from '../../protocol/upstream-terms.js'
import { CliError } from '../shared/errors/cli-error.js'

/** What `svc import mcp` is given. */
export interface McpImportOptions {
  readonly tool: readonly string[]
  readonly all: boolean
  /** Tools that change something, or `none`; the others read. */
  readonly write?: string
  /** `1 EUR` */
  readonly cost?: string
  readonly answers?: UpstreamTerms['answers']
  /** `60`, or `render=600` for one tool. */
  readonly timeLimit: readonly string[]
  readonly env: readonly string[]
  /** What the server may open beside its arguments. */
  readonly path: readonly string[]
  readonly allow: readonly string[]
  readonly confinement: 'namespaces' | 'none'
  /** Why nothing confines the server. */
  readonly reason?: string
  /** `none`, `open`, or hosts joined by commas. */
  readonly network: string
  /** An image by its digest: what follows `--` are arguments of it. */
  readonly container?: string
  readonly list: boolean
  readonly update: boolean
  readonly yes: boolean
  readonly into: string
  readonly name?: string
}

export interface ChosenUpstreamTool extends ChosenTool {
  readonly tool: UpstreamTool
}

const mayAsk = (): boolean => process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env['CI']

/** The tools that a person has chosen, each with what it may do, as far as that is decided. */
export async function chosenTools(
  listed: readonly UpstreamTool[],
  options: McpImportOptions,
): Promise<readonly ChosenUpstreamTool[]> {
  const all = listed.filter(({ onlyAsTask }) => onlyAsTask !== true)
  if (all.length === 0) throw new CliError('The server lists no tools, so there is nothing to import.')
  const chosen = options.all
    ? all
    : options.tool.length > 0
      ? options.tool.map((name) => toolNamed(listed, name))
      : await askedTools(all)
  const writes = options.write === undefined ? await askedWrites(chosen) : writesIn(chosen, options.write)
  return chosen.map((tool) => ({
    tool,
    effect: writes === undefined ? undefined : writes.has(tool.name) ? 'write' : 'read',
  }))
}

async function askedTools(all: readonly UpstreamTool[]): Promise<readonly UpstreamTool[]> {
  if (mayAsk()) return (await import('./ask-tools.js')).askForTools(all)
  throw new CliError('Nothing is imported unless it is chosen: --tool <name>, --all, or look with --list.')
}

const askedWrites = async (chosen: readonly UpstreamTool[]): Promise<ReadonlySet<string> | undefined> =>
  mayAsk() ? (await import('./ask-tools.js')).askForWrites(chosen) : undefined

function writesIn(chosen: readonly UpstreamTool[], text: string): ReadonlySet<string> {
  if (text === 'none') return new Set()
  return new Set(text.split(',').map((name) => toolNamed(chosen, name.trim()).name))
}

function toolNamed(tools: readonly UpstreamTool[], name: string): UpstreamTool {
  const found = tools.find((tool) => tool.name === name)
  if (found?.onlyAsTask === true) throw new CliError(`${name} answers only as a task, so no call of it could succeed.`)
  if (found !== undefined) return found
  throw new CliError(
    `There is no tool ${JSON.stringify(name)}; there are ${tools.map((each) => each.name).join(', ')}.`,
  )
}

/** What each change costs of a budget; nothing where nobody says so. */
export async function costOfWrites(
  { cost, write }: McpImportOptions,
  chosen: readonly ChosenUpstreamTool[],
): Promise<ToolCost | undefined> {
  const isAsked =
    cost === undefined && write === undefined && mayAsk() && chosen.some(({ effect }) => effect === 'write')
  const text = isAsked ? await (await import('./ask-tools.js')).askForCost() : cost
  if (text === undefined || text.trim() === '') return undefined
  const [, amount, currency] = /^(\d+(?:\.\d+)?)\s*([A-Z]{3})$/u.exec(text.trim()) ?? []
  if (amount === undefined || currency === undefined || decimalsOf(currency) === undefined || Number(amount) <= 0)
    throw new CliError(`--cost ${JSON.stringify(text)} must be an amount and a currency, such as "1 EUR".`)
  return { amount: Number(amount), currency }
}
