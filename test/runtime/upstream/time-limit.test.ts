import { expect, it } from 'vitest'
import { progressiveLimit } from '../../../src/runtime/upstream/mcp/time-limit.js'

const sleep = (ms: number) => new Promise((done) => setTimeout(done, ms))
const never = new AbortController().signal

it('ends after its time', async () => {
  const { signal } = progressiveLimit(never, 50)
  expect(signal.aborted).toBe(false)
  await sleep(150)
  expect(signal.aborted).toBe(true)
})

it('begins again with progress, up to ten times', async () => {
  const { signal, prolong } = progressiveLimit(never, 300)
  const beating = setInterval(prolong, 20)
  await sleep(900)
  expect(signal.aborted).toBe(false)
  await sleep(2600)
  clearInterval(beating)
  expect(signal.aborted).toBe(true)
})

it('ends with what is around it', () => {
  const outer = new AbortController()
  const { signal } = progressiveLimit(outer.signal, 10_000)
  outer.abort()
  expect(signal.aborted).toBe(true)
})
