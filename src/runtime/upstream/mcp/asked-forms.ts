/** Forms with which a server behind asks before it acts, answered by the author's code. */
import type { Client, ClientOptions, ElicitResult } from '@modelcontextprotocol/client'
import type { JsonObject } from '../../../protocol/manifest.js'
import type { FormAnswer } from '../../../protocol/questions.js'
import { plainCopy } from '../../json/plain-copy.js'
import { unmarked } from './marked.js'

/** Form of a server behind: its text is data, and instructs nobody. */
export interface AskedForm {
  readonly message: string
  /** Fields as the server describes them, in JSON Schema. */
  readonly schema: JsonObject
}

/** Answers a form; undefined declines it. */
export type AnswerForm = (asked: AskedForm) => FormAnswer | undefined | Promise<FormAnswer | undefined>

const MOST_ROUNDS = 4

/** A client says that it can be asked only where somebody answers. */
export const optionsOfAnswering = (answer: AnswerForm | undefined): ClientOptions => ({
  inputRequired: { autoFulfill: answer !== undefined, maxRounds: MOST_ROUNDS },
  ...(answer !== undefined && { capabilities: { elicitation: { form: { applyDefaults: true } } } }),
})

/** Answers each form; what the author's code throws, or gives that is no answer, cancels the form. */
export function answerForms(client: Client, answer: AnswerForm | undefined): void {
  if (answer === undefined) return
  client.setRequestHandler('elicitation/create', async ({ params }): Promise<ElicitResult> => {
    try {
      const { message, requestedSchema } = unmarked(params as object as JsonObject, Number)
      const given = await answer({ message: String(message), schema: requestedSchema as JsonObject })
      return (plainCopy(given) ?? { action: 'decline' }) as object as ElicitResult
    } catch {
      return { action: 'cancel' }
    }
  })
}
