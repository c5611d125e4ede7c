import { corpusOf, keep } from './corpus.js'
import { cpuTime } from '../cpu-time.js'
import { mutated, numbersFrom } from './mutate.js'

/** One parser under attack. */
export interface Target {
  readonly seeds: readonly (Uint8Array | string)[]
  /** Words of the format, which random bytes would not find. */
  readonly words?: readonly string[]
  /**
   * Parses the input and checks what must hold of the answer; throws when it does not. The answer is named in a few words:
   * an input with a new answer is kept, and edited further.
   */
  readonly parse: (input: Buffer) => string | Promise<string>
}

export interface Effort {
  /** CPU seconds; where they are given, they end the run, and not the count. */
  readonly seconds?: number
  readonly inputs: number
  readonly seed: number
  /** Writes each input with a new answer into the corpus. */
  readonly keeps: boolean
}

/** No input may take longer, in ms of CPU. */
const LONGEST = 1000
const MOST_BYTES = 200_000
/** Inputs with new answers that one run edits further, and keeps. */
const MOST_NEW = 300
/** Answers that are known again: in millions of them, a set takes longer to grow than any parser. */
const MOST_ANSWERS = 100_000
/** Kept inputs of a parser that a run without `seconds` feeds, spread over the corpus. */
const MOST_KEPT = 150

/** Feeds the parser until the effort is spent. A failing input is kept, and named by the error. */
export async function fuzz(name: string, { seeds, words = [], parse }: Target, effort: Effort) {
  const kept = corpusOf(name)
  const step = effort.seconds === undefined ? Math.ceil(kept.length / MOST_KEPT) : 1
  const pool: Buffer[] = [
    ...seeds.map((seed) => Buffer.from(seed as string)),
    ...kept.filter((_, index) => index % step === 0),
  ]
  const answers = new Set<string>()
  const next = numbersFrom(effort.seed)
  const began = cpuTime()
  const fresh = pool.length
  let inputs = 0
  let slowest = 0
  const isOver = () =>
    effort.seconds === undefined ? inputs >= effort.inputs : cpuTime() - began > effort.seconds * 1000
  for (; inputs < fresh || !isOver(); inputs++) {
    const input = inputs < fresh ? pool[inputs]! : mutated(pool, words, next).subarray(0, MOST_BYTES)
    const from = cpuTime()
    const answer = await answered(name, input, parse)
    const took = cpuTime() - from
    slowest = Math.max(slowest, took > LONGEST ? await leastAgain(took, () => parse(input)) : took)
    if (slowest > LONGEST) throw new Error(`${keep(name, input)} took ${Math.round(slowest)} ms of CPU.`)
    if (answers.has(answer) || answers.size >= MOST_ANSWERS) continue
    answers.add(answer)
    if (inputs < fresh || pool.length >= fresh + MOST_NEW) continue
    pool.push(Buffer.from(input))
    if (effort.keeps) keep(name, input)
  }
  return { inputs, answers: answers.size, slowest }
}

/** An input that is slow is slow each time; a virtual machine that stood still is charged to whatever ran. */
async function leastAgain(took: number, parse: () => unknown): Promise<number> {
  let least = took
  for (let time = 0; time < 2; time++) {
    const from = cpuTime()
    await parse()
    least = Math.min(least, cpuTime() - from)
  }
  return least
}

async function answered(name: string, input: Buffer, parse: Target['parse']): Promise<string> {
  try {
    return await parse(input)
  } catch (error) {
    throw new Error(`The parser ${name} fails on ${keep(name, input)}.`, { cause: error })
  }
}
