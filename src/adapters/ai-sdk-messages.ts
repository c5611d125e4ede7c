/** Reads approvals from the messages of a conversation, in versions 6 and 7 of the AI SDK. */
import type { ModelMessage } from 'ai'

interface Part {
  readonly type: string
  readonly toolCallId?: string
  readonly toolName?: string
  readonly approvalId?: string
  readonly approved?: boolean
}

const partsOf = ({ content }: ModelMessage): readonly Part[] =>
  Array.isArray(content) ? (content as readonly Part[]) : []

/** Checks whether the user was asked about the call; this run then continues it. */
export const wasAsked = (messages: readonly ModelMessage[], toolCallId: string): boolean =>
  messages.some((message) =>
    partsOf(message).some((part) => part.type === 'tool-approval-request' && part.toolCallId === toolCallId),
  )

export interface DeniedCall {
  readonly toolCallId: string
  readonly toolName: string
}

/** The calls that the user declined since the model spoke last; what was declined earlier has been dealt with. */
export function deniedCalls(messages: readonly ModelMessage[]): readonly DeniedCall[] {
  const spoke = messages.findLastIndex(({ role }) => role === 'assistant')
  const denied = messages
    .slice(spoke + 1)
    .flatMap(partsOf)
    .filter(({ type, approved }) => type === 'tool-approval-response' && approved === false)
    .map(({ approvalId }) => approvalId)
  const parts = messages.flatMap(partsOf)
  const asked = parts.filter((part) => part.type === 'tool-approval-request' && denied.includes(part.approvalId))
  return asked.flatMap(({ toolCallId }) => {
    const made = parts.find((part) => part.type === 'tool-call' && part.toolCallId === toolCallId)
    return made?.toolName === undefined || toolCallId === undefined ? [] : [{ toolCallId, toolName: made.toolName }]
  })
}
