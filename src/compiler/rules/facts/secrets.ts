import { flagless } from '../../shape/flagless.js'

/** Shapes of credentials that are known by their look. */
const KNOWN_FORMATS: readonly (readonly [name: string, pattern: RegExp])[] = [
  ['an AWS access key', /\b(?:AKIA|ASIA)[0-9A-Z]{16}\b/u],
  ['a GitHub token', /\b(?:gh[pousr]_[A-Za-z0-9]{36,}|github_pat_[A-Za-z0-9_]{22,})\b/u],
  ['a GitLab token', /\bglpat-[\w-]{20,}/u],
  ['a Slack token', /\bxox[abprs]-[A-Za-z0-9-]{10,}/u],
  ['a Stripe key', /\b(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}/u],
  ['a Google API key', /\bAIza[\w-]{35}\b/u],
  ['an npm token', /\bnpm_[A-Za-z0-9]{36}\b/u],
  ['a JSON Web Token', /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]*/u],
  ['a private key', /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/u],
  ['an OpenAI or Anthropic key', /\bsk-(?:ant-|proj-)?[A-Za-z0-9_-]{24,}/u],
]

/** All of them, wherever they stand and in whichever case; of a private key all lines. For what must not be shown. */
export const KNOWN_SECRETS = new RegExp(
  [
    ...KNOWN_FORMATS.map(([, { source }]) => source).filter((source) => !source.startsWith('-----')),
    String.raw`-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----(?:(?!-----END)[^])*`,
  ].join('|'),
  'giu',
)

/** Returns a known kind of credential in a text. */
export const secretIn = (text: string): string | undefined =>
  text.length < 16 || !HINT.test(text) ? undefined : KNOWN_FORMATS.find(([, pattern]) => pattern.test(text))?.[0]

/** One look that tells almost every text from a secret. */
const HINT = /A(?:KIA|SIA|Iza)|g(?:h[pousr]_|ithub_pat_|lpat-)|xox[abprs]-|[sr]k_|sk-|npm_|eyJ|-----BEGIN/

const SECRET_NAMES: ReadonlySet<string> = new Set([
  'password', 'passwd', 'passphrase', 'secret', 'api_key', 'apikey', 'access_token', 'accesstoken', 'refresh_token',
  'refreshtoken', 'auth_token', 'authtoken', 'bearer', 'private_key', 'privatekey', 'credential', 'pin', 'cvv', 'cvc',
]) // prettier-ignore

/** The same names for JSON Schema, whose patterns have no flags. */
export const SECRET_NAME: string = flagless(new RegExp(`(?:^|_)(?:${[...SECRET_NAMES].join('|')})s?$`, 'iu'))

/** Checks whether a field's name means a credential: its last word or two, in singular or plural. */
export function isSecretName(name: string): boolean {
  const lower = name.toLowerCase()
  const last = lower.lastIndexOf('_')
  const two = last <= 0 ? -1 : lower.lastIndexOf('_', last - 1)
  return isSecretWord(lower.slice(last + 1)) || isSecretWord(lower.slice(two + 1))
}

const isSecretWord = (word: string): boolean =>
  SECRET_NAMES.has(word) || (word.endsWith('s') && SECRET_NAMES.has(word.slice(0, -1)))

/** Bits for each character: random text has more than 4. */
export function entropyOf(text: string): number {
  const counts = new Map<string, number>()
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1)
  return [...counts.values()].reduce((sum, count) => sum - (count / text.length) * Math.log2(count / text.length), 0)
}

/** Parts that every known credential contains. An escape may hide them. */
const TRACE = /A(?:KIA|SIA|Iza)|g(?:h[pousr]_|ithub_pat_|lpat-)|xox|_(?:live|test)_|npm_|eyJ|-----BEGIN|sk-|\\/

/** Checks whether a source may contain a credential at all. */
export const maySecretsHide = (source: string): boolean => TRACE.test(source)
