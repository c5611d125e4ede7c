import type { JSONRPCMessage } from '@modelcontextprotocol/server'
import { randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../protocol/manifest.js'

/** Questions to clients whose answers come in requests of their own. Their ids cannot be guessed. */
export interface ClientQuestions {
  /** Hands an answer to whoever asked this caller; false if nobody did. */
  answer(message: JsonObject, by: string): boolean
  /** Questions of one exchange, until it ends. */
  exchange(by: string, hold: () => () => void, hear: (answer: JSONRPCMessage) => void): Exchange
}

interface Exchange {
  /** Returns a message as it is sent: a question, and the word that it is withdrawn, under the id that answers name. */
  outgoing(message: JSONRPCMessage): JSONRPCMessage
  end(): void
}

interface Asked {
  readonly by: string
  readonly hear: (answer: JsonObject) => void
}

export function clientQuestions(): ClientQuestions {
  const waiting = new Map<string, Asked>()
  return {
    answer: (message, by) => {
      const { id } = message
      const asked = typeof id === 'string' ? waiting.get(id) : undefined
      if (asked?.by !== by) return false
      waiting.delete(id as string)
      asked.hear(message)
      return true
    },
    exchange: (by, hold, hear) => {
      const ids = new Map<unknown, string>()
      let release: (() => void) | undefined
      const outgoing = (message: JSONRPCMessage): JSONRPCMessage => {
        if (!('method' in message)) return message
        if (message.method === 'notifications/cancelled') return withdrawn(message, ids)
        if (!('id' in message)) return message
        release ??= hold()
        const original = message.id
        const id = randomUUID()
        ids.set(original, id)
        waiting.set(id, { by, hear: (answer) => hear({ ...answer, id: original } as object as JSONRPCMessage) })
        return { ...message, id }
      }
      const end = (): void => {
        for (const id of ids.values()) waiting.delete(id)
        release?.()
        release = undefined
      }
      return { outgoing, end }
    },
  }
}

function withdrawn(message: JSONRPCMessage, ids: ReadonlyMap<unknown, string>): JSONRPCMessage {
  const { params } = message as { readonly params?: { readonly requestId?: unknown } }
  const id = ids.get(params?.requestId)
  return id === undefined ? message : ({ ...message, params: { ...params, requestId: id } } as JSONRPCMessage)
}
