/** Agents that live in a process of another runtime: one question a line, one answer a line. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { afterAll } from 'vitest'
import type { Agent, Connect, Place } from './agent.js'

interface Answer {
  readonly id: number
  readonly value?: never
  readonly error?: string
}

/** Agents of one program; it starts with the first question, and ends with the test file. */
export function peer(command: () => Promise<readonly string[]>): Connect {
  const waiting = new Map<number, (answer: Answer) => void>()
  let started: Promise<ReturnType<typeof spawn>> | undefined
  let last = 0

  const start = async () => {
    const [program = '', ...words] = await command()
    const child = spawn(program, words, { stdio: ['pipe', 'pipe', 'inherit'] })
    createInterface({ input: child.stdout }).on('line', (line) => {
      const answer = JSON.parse(line) as Answer
      waiting.get(answer.id)?.(answer)
      waiting.delete(answer.id)
    })
    child.on('exit', (code) => {
      for (const [id, done] of waiting) done({ id, error: `The peer ended with ${code}.` })
    })
    return child
  }
  afterAll(async () => void (await started)?.kill())

  const ask = async (place: Place, op: keyof Agent, args: readonly unknown[]) => {
    const child = await (started ??= start())
    const id = ++last
    const answer = await new Promise<Answer>((done) => {
      waiting.set(id, done)
      child.stdin!.write(`${JSON.stringify({ id, op, place, args })}\n`)
    })
    if (answer.error !== undefined) throw new Error(answer.error)
    return answer.value as never
  }
  return async (place) => ({
    list: () => ask(place, 'list', []),
    call: (capability, input, options = {}) => ask(place, 'call', [capability, input, options]),
    resume: (...args) => ask(place, 'resume', args),
  })
}
