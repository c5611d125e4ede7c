import { oneLine } from './safe-text.js'

/** `ana@example.com` for a person, the whole name for an agent or a service. */
export const nameOf = (principal: string): string => oneLine(principal.replace(/^human:/u, ''), 80)

/** The same, or `you`. */
export const whoIs = (principal: string | null, me: string): string =>
  principal === null ? 'nobody' : principal === me ? 'you' : nameOf(principal)

/** For the beginning of a sentence. */
export const whoBegins = (principal: string | null, me: string): string => {
  const who = whoIs(principal, me)
  return who === 'you' ? 'You' : who
}

export const isPerson = (principal: string): boolean => /^(?:human|oidc):/u.test(principal)
