/** An agent of the AI SDK, version 7, in a process of its own: one question a line, one answer a line. */
import { createInterface } from 'node:readline'
import * as ai from 'ai'
import { MockLanguageModelV4 } from 'ai/test'
import { serviceTools } from 'svc-kit/ai-sdk'
import { connect } from 'svc-kit/client'
import { sessionOf } from './ai-sdk-session.js'

const registryOf = (tools) =>
  Object.fromEntries(
    tools.map(({ capability, effect, approval }) => [
      capability,
      { capability, effect, ...(approval !== 'never' && { approvable: true }) },
    ]),
  )

const sessionAt = ({ url, token, tools, approval, limits }) =>
  sessionOf({
    ai,
    Model: MockLanguageModelV4,
    settings: (task) =>
      serviceTools(connect({ baseUrl: url, credential: token, ...limits }, registryOf(tools)), tools, {
        ...(approval && { approval }),
        ...(task !== undefined && { task_id: task }),
      }),
  })

createInterface({ input: process.stdin }).on('line', async (line) => {
  const { id, op, place, args } = JSON.parse(line)
  const session = sessionAt(place)
  const answer = await session[op](...args).then(
    (value) => ({ value }),
    (error) => ({ error: String(error) }),
  )
  process.stdout.write(`${JSON.stringify({ id, ...answer })}\n`)
})
