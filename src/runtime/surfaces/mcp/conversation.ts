/** Conversation of a running call with its MCP client: messages to it, questions to it, and its answers so far. */
import {
  inputRequired,
  MissingRequiredClientCapabilityError,
  ProtocolError,
  ProtocolErrorCode,
  type ClientCapabilities,
  type InputRequest,
  type InputRequiredResult,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { isRecord } from '../../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../../protocol/manifest.js'
import { kindOfQuestion, type CallerAbilities, type Question, type Questions } from '../../../protocol/questions.js'
import type { Conversation } from '../../endpoint/conversation.js'
import { abilitiesOf } from './abilities.js'
import type { CallState, McpConnection } from './connection.js'
import { MOST_ROUNDS } from './rounds.js'

const LONGEST_MESSAGE = 1000
const MOST_MESSAGES = 1000
/** Characters of all answers of one call: each round carries those before it. */
const MOST_ANSWERED = 64 * 1024

export interface Talk extends Conversation {
  /** The questions that the handler has asked in this run. */
  readonly open: () => Questions | undefined
}

export function talkOf(connection: McpConnection, ctx: ServerContext, answers: JsonObject): Talk {
  let open: Questions | undefined
  let told = 0
  return {
    can: abilitiesOf(connection, ctx),
    answers,
    asked: (questions) => void (open = questions),
    open: () => open,
    tell: async (level, data) => {
      if (++told > MOST_MESSAGES) return
      // A client that has gone hears nothing, and stops nothing.
      await ctx.mcpReq.log(level, shortened(data)).catch(() => undefined)
    },
  }
}

function shortened(data: Json): Json {
  const text = typeof data === 'string' ? data : JSON.stringify(data)
  return text.length <= LONGEST_MESSAGE ? data : text.slice(0, LONGEST_MESSAGE)
}

/** The answers of all rounds. They are the client's own: without the state of a round before, they count, too. */
export function answersSoFar({ mcpReq }: ServerContext, state: CallState | undefined): JsonObject {
  const given = isRecord(mcpReq.inputResponses as Json | undefined)
    ? (mcpReq.inputResponses as object as JsonObject)
    : {}
  const { approval: _, clarification: __, connection: ___, ...own } = given
  const answers = { ...state?.answers, ...own }
  if (JSON.stringify(answers).length <= MOST_ANSWERED) return answers
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, `All answers have at most ${MOST_ANSWERED} characters.`)
}

const NEEDED = {
  form: { elicitation: { form: {} } },
  model: { sampling: {} },
  roots: { roots: {} },
} as const satisfies { readonly [Kind in keyof CallerAbilities]: ClientCapabilities }

/**
 * Asks the client what a handler has asked. A client of 2026-07-28 that cannot be asked is told what it lacks, as the
 * protocol demands; any other, and one that was asked too often, gets the refusal of the call: undefined.
 */
export async function askClient(
  { era, states }: McpConnection,
  { can, answers }: Talk,
  questions: Questions,
  state: CallState,
): Promise<InputRequiredResult | undefined> {
  const lacking = Object.values(questions)
    .map(kindOfQuestion)
    .filter((kind) => !can[kind])
  if (lacking.length > 0 && era === 'modern')
    throw new MissingRequiredClientCapabilityError({
      requiredCapabilities: Object.assign({}, ...lacking.map((kind) => NEEDED[kind])) as ClientCapabilities,
    })
  const asked = (state.asked ?? 0) + 1
  if (lacking.length > 0 || asked > MOST_ROUNDS) return undefined
  const inputRequests = Object.fromEntries(Object.entries(questions).map(([name, each]) => [name, requestOf(each)]))
  return inputRequired({ inputRequests, requestState: await states.mint({ ...state, answers, asked }) })
}

function requestOf(question: Question): InputRequest {
  if ('form' in question) {
    const { form: message, fields: properties, required = [] } = question
    const requestedSchema = { type: 'object', properties, required }
    return inputRequired.elicit({ message, requestedSchema } as object as Parameters<typeof inputRequired.elicit>[0])
  }
  if ('roots' in question) return inputRequired.listRoots()
  const { model: text, maxTokens, system } = question
  return inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text } }],
    maxTokens,
    ...(system !== undefined && { systemPrompt: system }),
  })
}
