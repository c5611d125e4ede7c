import { sha256Hex } from '../../crypto/json/digest.js'
import { toolsText, type ToolsText } from '../../crypto/json/tools-text.js'
import type { Plan } from '../plan/plan.js'
import { printJsonConstant } from '../print/json-constant.js'
import { stringText } from '../print/text.js'
import { printComment, printImport, printModule, type Writer } from '../print/typescript.js'
import type { Target } from './target.js'

/**
 * The capabilities as tools of a model: `generated/tools.ts` for adapters, one line a tool, and `dist/tools.json`,
 * whose bytes are those that a running service serves.
 */
export const tools: Target = (plan) => {
  const text = toolsText(plan.manifest)
  return [
    {
      path: 'generated/tools.ts',
      ownership: 'generated',
      text: printModule(plan.headerFor(), (writer) => printTools(writer, plan, text)),
    },
    { path: 'dist/tools.json', ownership: 'generated', text: text.whole },
  ]
}

function printTools(writer: Writer, { serviceId }: Plan, { whole, tools: each }: ToolsText): void {
  printImport(writer, 'import type', ['Tool'], 'svc-kit/client')
  writer.blankLineIfLastNot()
  printComment(writer, [`The capabilities of ${serviceId} as tools of a model.`])
  const parts = each.map((text, index) => stringText(index === 0 ? `[${text}` : `,${text}`))
  const all = parts.length === 0 ? [stringText('[]')] : [...parts, stringText(']')]
  printJsonConstant(writer, 'tools', 'readonly Tool[]', all)
  writer.blankLineIfLastNot()
  printComment(writer, ['SHA-256 of `tools.json`: `x-tools-sha256` of a signed manifest that says the same tools.'])
  writer.writeLine(`export const toolsSha256: string = ${stringText(sha256Hex(whole))}`)
}
