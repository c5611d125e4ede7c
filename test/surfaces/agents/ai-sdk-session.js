/**
 * An agent of the AI SDK, of version 6 or 7, whose model makes one call and then says that it is done. Plain JavaScript: version 7
 * runs in a process of its own.
 */
const USAGE = { inputTokens: { total: 1 }, outputTokens: { total: 1 } }
const DONE = {
  content: [{ type: 'text', text: 'Done.' }],
  finishReason: { unified: 'stop' },
  usage: USAGE,
  warnings: [],
}
const nameOf = (capability) => capability.replaceAll('.', '__')

const calling = (id, capability, input) => ({
  content: [
    {
      type: 'tool-call',
      toolCallId: id,
      toolName: nameOf(capability),
      input: typeof input === 'string' ? input : JSON.stringify(input),
    },
  ],
  finishReason: { unified: 'tool-calls' },
  usage: USAGE,
  warnings: [],
})

/** `settings` gives the tools anew for each run, as after a restart. */
export function sessionOf({ ai, Model, settings }) {
  const run = async (answers, messages, task) => {
    const model = new Model({ doGenerate: answers })
    const stopWhen = ({ steps }) => steps.length >= 5
    const result = await ai.generateText({ model, messages, stopWhen, maxRetries: 0, ...(await settings(task)) })
    return turnOf(result, [...messages, ...result.response.messages], model)
  }
  return {
    list: async () => Object.keys((await settings()).tools).map((name) => name.replaceAll('__', '.')),
    call: async (capability, input, { id = crypto.randomUUID(), task } = {}) =>
      run([calling(id, capability, input), DONE], [{ role: 'user', content: 'Go.' }], task),
    resume: async (state, yes) => {
      const messages = structuredClone(state)
      const content = requestsIn(messages).map(({ approvalId }) => ({
        type: 'tool-approval-response',
        approvalId,
        approved: yes,
      }))
      return run([DONE], [...messages, { role: 'tool', content }])
    },
  }
}

const partsOf = (messages) => messages.flatMap(({ content }) => (Array.isArray(content) ? content : []))
const requestsIn = (messages) => partsOf(messages).filter(({ type }) => type === 'tool-approval-request')

/** What the model was shown of its call, in the prompt of the next step. */
function turnOf(result, messages, model) {
  const state = JSON.parse(JSON.stringify(messages))
  if (result.content.some(({ type }) => type === 'tool-approval-request')) return { paused: true, state }
  const shown = partsOf(model.doGenerateCalls.at(-1).prompt).findLast(({ type }) => type === 'tool-result')?.output
  if (shown === undefined) return { state }
  return { shown: shown.type === 'execution-denied' ? { denied: true } : (shown.value ?? shown), state }
}
