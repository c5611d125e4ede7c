/** What the agents here have in common: a client whose token may spend so much, and the person who approves. */
import { readFileSync, writeFileSync } from 'node:fs'
import { createClient } from 'travel-client'

const baseUrl = process.env.SVC_URL ?? 'http://127.0.0.1:4100'

/** A token of the agent, narrowed by the developer: where it may book, and for how much. */
export async function agentToken(max_amount) {
  const developer = createClient({ baseUrl, credential: process.env.SVC_DEVELOPER_KEY })
  const budget = { currency: 'EUR', max_amount }
  const delegated = await developer.delegate({
    subject: 'agent:assistant',
    scope: ['travel.search', 'travel.book'],
    budget,
  })
  if (!delegated.success) throw new Error(delegated.failure.detail)
  return delegated.token.token
}

export const agentClient = async (max_amount) => createClient({ baseUrl, credential: await agentToken(max_amount) })

/** Another person approves what waits. */
export async function approve() {
  const approver = createClient({ baseUrl, credential: process.env.SVC_APPROVER_KEY })
  const waiting = await approver.approvals.list({ status: 'pending' })
  if (!waiting.success) throw new Error(waiting.failure.detail)
  for (const { approval_request_id } of waiting.result.approval_requests) {
    const granted = await approver.approvals.grant({ approval_request_id })
    console.log('approved:', granted.success)
  }
}

/** The script of the model: search, book the cheapest, then say what came of it. `results` are what its tools answered so far. */
export function nextCall(results) {
  const [found] = results
  if (found === undefined)
    return {
      id: 'call_search',
      name: 'search_flights',
      input: { origin: 'LIS', destination: 'BER', date: '2030-05-01' },
    }
  if (results.length === 1)
    return { id: 'call_book', name: 'book_flight', input: { quote_id: found.quote_id, passengers: 1 } }
  return undefined
}

/** What the model says in the end. */
export const summaryOf = (results) => {
  const { failure, booking_id } = results.at(-1)
  return failure === undefined ? `booked ${booking_id}` : `not booked: ${failure.type}, ${failure.resolution.action}`
}

/** `ask <file>` runs until the agent waits, `approve` is the other person, `resume <file>` goes on in a new process. */
export async function commands({ ask, resume }) {
  const [command, file] = process.argv.slice(2)
  if (command === 'approve') return approve()
  if (command === 'ask') {
    console.log('over budget:', (await ask(1)).text)
    const { state } = await ask(1000)
    if (state === undefined) throw new Error('An approval was expected.')
    writeFileSync(file, state)
    return console.log('waits for an approver')
  }
  const state = readFileSync(file, 'utf8')
  const [first, again] = [await resume(state), await resume(state)]
  console.log(first.text.split(' ')[0], 'once:', first.text === again.text)
}
