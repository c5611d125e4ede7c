import type { ToolTimeLimits } from '../../compiler/mcp-tools/print-tools.js'
import { CliError } from '../shared/errors/cli-error.js'
import type { ChosenUpstreamTool } from './choose-tools.js'

const MOST_SECONDS = 3600

/** The limits of `--time-limit`: seconds for all tools, or `<tool>=<seconds>`. */
export function timeLimitsIn(texts: readonly string[], chosen: readonly ChosenUpstreamTool[]): ToolTimeLimits {
  const limits = texts.map((text) => limitIn(text, chosen))
  const all = limits.find(({ tool }) => tool === undefined)
  const named = limits.flatMap(({ tool, ms }) => (tool === undefined ? [] : [[tool, ms] as const]))
  return { ...(all && { all: all.ms }), tools: Object.fromEntries(named) }
}

function limitIn(text: string, chosen: readonly ChosenUpstreamTool[]) {
  const [, tool, seconds = ''] = /^(?:(.+)=)?(\d+)$/u.exec(text) ?? []
  if (seconds === '' || Number(seconds) < 1 || Number(seconds) > MOST_SECONDS)
    throw new CliError(
      `--time-limit ${JSON.stringify(text)} must be seconds up to ${MOST_SECONDS}, such as 60, or render=600 for one tool.`,
    )
  if (tool !== undefined && !chosen.some((each) => each.tool.name === tool))
    throw new CliError(`--time-limit names the tool ${JSON.stringify(tool)}, which is not imported.`)
  return { tool, ms: Number(seconds) * 1000 }
}
