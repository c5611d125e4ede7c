/** The path below which a service answers, of an application that has more than it (decisions, section 18). */
import { StartUpError } from '../errors/start-up-error.js'
import type { AnswerOverHttp } from './exchange.js'

const MOST_CHARACTERS = 200
const PATH = /^(?:\/[\w~][\w.~-]*)+$/u

/** Returns a base path without a slash at its end, empty for the root; throws `StartUpError` for one that is none. */
export function basePathOf(text: string): string {
  const path = text.replace(/\/$/u, '')
  if (path === '' || (path.length <= MOST_CHARACTERS && PATH.test(path))) return path
  throw new StartUpError(
    `The base path ${JSON.stringify(text.slice(0, MOST_CHARACTERS))} must be a path such as /agents, of letters, digits, - . _ and ~.`,
  )
}

const WELL_KNOWN = '/.well-known/'

/** Returns where a well-known path of what is below a base is: its name comes before the base (RFC 9728, section 3.1). */
export function atRoot(path: string, base: string): string {
  const end = path.indexOf('/', WELL_KNOWN.length)
  const cut = end === -1 ? path.length : end
  return path.slice(0, cut) + base + path.slice(cut)
}

/** Returns a request's target as the service knows it; undefined for one that is not below the base path. */
export type TargetBelow = (target: string) => string | undefined

/** Finds targets below a base path, and the well-known paths at the root that belong to it. */
export function targetsBelow(base: string, wellKnown: readonly string[]): TargetBelow {
  const roots = new Map(wellKnown.map((path) => [atRoot(path, base), path]))
  return (target) => {
    const question = target.indexOf('?')
    const path = question === -1 ? target : target.slice(0, question)
    const known = roots.get(path)
    if (known !== undefined) return known + target.slice(path.length)
    if (!path.startsWith(base)) return undefined
    const rest = target.slice(base.length)
    if (path.length === base.length) return `/${rest}`
    return rest.startsWith('/') ? rest : undefined
  }
}

/** Answers below a base path; what a proxy has already taken the base away from is answered alike. */
export const belowBase =
  (answer: AnswerOverHttp, targetBelow: TargetBelow): AnswerOverHttp =>
  (request) => {
    const target = targetBelow(request.target)
    return answer(target === undefined || target === request.target ? request : { ...request, target })
  }
