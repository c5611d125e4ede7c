import { multiselect, text } from '@clack/prompts'
import type { UpstreamTool } from '../../runtime/upstream/index.js'
import { printable } from '../shared/output/printable.js'
import { answered } from './ask.js'

const optionsOf = (tools: readonly UpstreamTool[]) =>
  tools.map(({ name, title }) => ({ value: name, label: printable(name), hint: printable(title) }))

/** Lets a person choose among the tools of a server. */
export async function askForTools(tools: readonly UpstreamTool[]): Promise<readonly UpstreamTool[]> {
  const message = 'Which tools become capabilities?'
  const chosen = answered(await multiselect({ message, options: optionsOf(tools), required: true }))
  return tools.filter(({ name }) => chosen.includes(name))
}

/** Lets a person say which tools change something; the server's own hints are the first answer. */
export async function askForWrites(tools: readonly UpstreamTool[]): Promise<ReadonlySet<string>> {
  const message = 'Which of them may write? Each call of these needs an approval.'
  const initialValues = tools.filter(({ readOnly }) => !readOnly).map(({ name }) => name)
  return new Set(answered(await multiselect({ message, options: optionsOf(tools), initialValues, required: false })))
}

export const askForCost = async (): Promise<string> =>
  answered(
    await text({
      message: 'What does a write cost of an agent’s budget? Empty: nothing.',
      placeholder: '1 EUR',
      defaultValue: '',
    }),
  )
