/** Misspellings that deserve more than "is not a …": each has a rule of its own. */

export interface Misspelling {
  readonly code: string
  readonly when: RegExp
  readonly message: (text: string) => string
  /** True if the text is wrong for any field. */
  readonly isCertain?: true
  readonly fix?: (text: string) => string | undefined
}

const nonAscii = /[^\u0000-\u007F]/u

export const nameTroubles: readonly Misspelling[] = [
  {
    code: 'SVC5103',
    isCertain: true,
    when: nonAscii,
    message: (text) => `The name has ${describe(text)}, which looks like another character; use ASCII letters.`,
  },
]

export const scopeTroubles: readonly Misspelling[] = [
  {
    code: 'SVC2202',
    when: /^[\w.:-]+(?:\s*[,;]\s*[\w.:-]+)+$/u,
    message: (text) => `\`${text}\` looks like several scopes; make each a list item.`,
  },
  {
    code: 'SVC2203',
    when: /\*/u,
    message: (text) => `The scope \`${text}\` has a wildcard; scopes are compared exactly, so no token could cover it.`,
  },
]

/** None of these messages repeats the text: it may be a secret. */
export const referenceTroubles: readonly Misspelling[] = [
  {
    code: 'SVC5001',
    isCertain: true,
    when: /\/\/[^/\s@]*:[^/\s@]+@|^[\w.-]+:[^/\s@]+@[\w.-]+/u,
    message: () =>
      'The reference embeds a credential; a reference is an identifier. Remove the credential and replace it ' +
      'where it was valid.',
  },
  {
    code: 'SVC5002',
    isCertain: true,
    when: /[?&;](?:access_?token|api_?key|apikey|auth|key|pass(?:word|wd)?|secret|sig(?:nature)?|token)=/i,
    message: () =>
      'The reference carries a secret in a query parameter; a reference is an identifier. Remove the parameter ' +
      'and replace the secret.',
  },
  {
    code: 'SVC5010',
    isCertain: true,
    when: /^(?:postgres(?:ql)?|mysql|mariadb|mongodb(?:\+srv)?|rediss?|amqps?|jdbc:[a-z]+|sqlserver|sqlite|kafka|ldaps?):\/\//i,
    message: () =>
      'The reference is a connection string; name the resolver here and configure the connection where the ' +
      'service runs.',
  },
  {
    code: 'SVC5008',
    isCertain: true,
    when: /\$\{[^}]*\}|\$[A-Z_]{3,}/u,
    message: () => 'Nothing is interpolated in a manifest, and the variable hints at a secret; write an identifier.',
  },
  {
    code: 'SVC5009',
    isCertain: true,
    when: /^https?:\/\//i,
    message: () => 'The reference is a URL, which tells every reader a host; write an identifier.',
  },
  {
    code: 'SVC2310',
    when: /^\s*\[.*\]\s*$|^[^,]+(?:,[^,]+)+$/u,
    message: () => '`catalog_ref` names a catalog; it is not an inline list. Write the values under `allowed_values`.',
  },
]

export const versionTroubles: readonly Misspelling[] = [
  {
    code: 'SVC1305',
    when: /^[vV]\d+\.\d+\.\d+/u,
    message: (text) => `A semantic version has no \`v\`; write \`${text.slice(1)}\`.`,
    fix: (text) => text.slice(1),
  },
  {
    code: 'SVC1306',
    when: /^(?:\d+\.){0,2}0\d/u,
    message: (text) => `\`${text}\` has a leading zero, which a semantic version may not have.`,
    fix: (text) => text.replaceAll(/(?<=^|\.)0+(?=\d)/gu, ''),
  },
]

function describe(text: string): string {
  const character = nonAscii.exec(text)?.[0] ?? ''
  return `\`${character}\` (U+${text.codePointAt(text.indexOf(character))!.toString(16).toUpperCase().padStart(4, '0')})`
}
