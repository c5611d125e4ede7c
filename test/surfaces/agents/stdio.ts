import { PassThrough } from 'node:stream'
import { createInterface } from 'node:readline'
import { answerLines } from '../../../src/runtime/surfaces/stdio.js'
import type { Connect } from './agent.js'
import { rawAgent, type Body } from './http.js'

const METHODS = {
  permissions: ['svc.permissions', 'none'],
  invoke: ['svc.invoke', 'capability'],
  withdraw: ['svc.approval_requests.withdraw', 'id'],
} as const

interface Line {
  readonly id: number
  readonly result?: Body
  readonly error?: { readonly data: Body }
}

export const stdio: Connect = async ({ token }, service) => {
  const [input, output] = [new PassThrough(), new PassThrough()]
  const waiting = new Map<number, (body: Body) => void>()
  let last = 0
  createInterface({ input: output }).on('line', (text) => {
    const { id, result, error } = JSON.parse(text) as Line
    const { invocation_id, ...failure } = error?.data ?? {}
    waiting.get(id)?.(result ?? { failure, invocation_id })
  })
  void answerLines(service, input, output)
  return rawAgent((endpoint, { segment, body, key }) => {
    const [method, name] = METHODS[endpoint]
    const beside = { [name]: segment, auth: { bearer: token }, ...(key !== undefined && { idempotency_key: key }) }
    const id = ++last
    return new Promise((done) => {
      waiting.set(id, done)
      input.write(
        `${JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...body, ...beside, none: undefined } })}\n`,
      )
    })
  })
}
