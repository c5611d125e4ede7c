/** The caller as its handler sees it: told and asked, over surfaces that can. */
import { failure } from '../../../protocol/failures.js'
import {
  isSensitiveName,
  kindOfQuestion,
  type Caller,
  type CallerAbilities,
  type Question,
  type Questions,
} from '../../../protocol/questions.js'
import { Refusal } from '../../errors/refusal.js'
import { plainCopy } from '../../json/plain-copy.js'
import type { GovernedFacts } from '../facts/facts.js'
import type { Invocation } from '../invocation.js'
import { answerIn } from './answers.js'

/** Thrown by `ctx.caller.ask`: the handler needs answers first. */
export class CallerAsked extends Error {
  override readonly name = 'CallerAsked'
  readonly questions: Questions

  constructor(questions: Questions) {
    super('The caller is asked first.')
    this.questions = questions
  }
}

const NOTHING: CallerAbilities = { form: false, model: false, roots: false }

/** A grant is spent by the attempt that it approves: a call that continues with one asks nothing more. */
export function callerOf({ name, conversation }: Invocation, { approval: { used } }: GovernedFacts): Caller {
  return {
    can: conversation === undefined || used !== undefined ? NOTHING : conversation.can,
    tell: async (level, data) => {
      if (conversation === undefined) return
      const told = plainCopy(data as never)
      if (told !== undefined) await conversation.tell(level, told)
    },
    ask: async (given) => {
      const questions = plainCopy(given as never) as object as Questions
      assertQuestions(name, questions)
      const asked = Object.entries(questions)
      const found = asked.map(([each, question]) => [each, answerIn(question, answerTo(conversation?.answers, each))])
      const open = asked.filter((_, at) => found[at]![1] === undefined)
      if (open.length > 0) throw new CallerAsked(Object.fromEntries(open))
      return Object.fromEntries(found) as never
    },
  }
}

const answerTo = (answers: NonNullable<Invocation['conversation']>['answers'] | undefined, name: string) =>
  answers !== undefined && Object.hasOwn(answers, name) ? answers[name] : undefined

/** Ends a run whose caller is asked: nothing has begun, and the answers make another run of it. */
export function refusalOfAsking({ conversation }: Invocation, { questions }: CallerAsked): Refusal {
  conversation?.asked(questions)
  const names = Object.keys(questions).join(', ')
  const remedy = conversation === undefined ? ' Call it over MCP, from a client that can be asked.' : ''
  return new Refusal(failure('clarification_required', `The capability asks its caller: ${names}.${remedy}`))
}

const MOST_QUESTIONS = 16
const MOST_CHARACTERS = 32 * 1024
const MOST_TOKENS = 100_000
/** Names that the surface asks under. */
const TAKEN = ['approval', 'clarification', 'connection']

function assertQuestions(capability: string, questions: Questions): void {
  const names = Object.keys(questions)
  const problem =
    names.length === 0 || names.length > MOST_QUESTIONS
      ? `1 to ${MOST_QUESTIONS} questions can be asked at once`
      : JSON.stringify(questions).length > MOST_CHARACTERS
        ? `questions have at most ${MOST_CHARACTERS} characters`
        : names.map((name) => problemOf(name, questions[name]!)).find((each) => each !== undefined)
  if (problem !== undefined) throw new TypeError(`The handler of ${capability} cannot ask: ${problem}.`)
}

function problemOf(name: string, question: Question): string | undefined {
  if (!/^\w{1,64}$/u.test(name) || TAKEN.includes(name)) return `${JSON.stringify(name)} cannot name a question`
  const kind = kindOfQuestion(question)
  if (kind === 'form') {
    const { fields } = question as Extract<Question, { form: string }>
    const secret = Object.keys(fields).find(isSensitiveName)
    if (secret !== undefined) return `a form never asks for a secret such as ${secret}`
  }
  if (kind === 'model') {
    const { maxTokens } = question as Extract<Question, { model: string }>
    if (!(Number.isSafeInteger(maxTokens) && maxTokens >= 1 && maxTokens <= MOST_TOKENS))
      return `maxTokens must be 1 to ${MOST_TOKENS}`
  }
  return undefined
}
