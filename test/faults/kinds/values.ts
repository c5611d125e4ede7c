import { inPlace, ofSite, ofValue, replaced, type Kinds } from '../fault.js'

const WORD =
  /(?:side_effect\/type|resolution\/mode|trust\/level|certainty|on_missing|on_unresolved|on_ambiguous|\/kind|\/enforcement|failure_policy|empty_result_policy|default_grant_type)$/u
const REFERENCE = /(?:steps\/\[\]\/capability|source_capability|compensation|requires\/\[\]\/capability)$/u
const DURATION = /(?:rollback_window|max_age|retention|request_ttl)$/u
const FLAG =
  /(?:\/required|\/logged|entity_reference|empty_result_source|record_child_invocations|parent_task_lineage)$/u
const isFlag = (value: string): boolean => value === 'true' || value === 'false'
const TEXT = /(?:capabilities\/\*\/description|contract_version|service_identity\/id)$/u
const LIST = /(?:minimum_scope|inputs|allowed_values|fields_logged|fields|refresh_via|verify_via)$/u
const MAP =
  /(?:^trust|side_effect|\/output|\/resolution|\/observability|^service_identity|^manifest_metadata|^limits)$/u
const PATH = /(?:output_mapping\/\*|input_mapping\/\*\/\*)$/u
const AMOUNT = /financial\/(?:amount|upper_bound|range_min|range_max|typical)$/u

const swapped = (word: string): string | undefined => {
  const at = [...word].findIndex((letter, index) => index > 0 && index + 1 < word.length && letter !== word[index + 1])
  return at === -1 ? undefined : word.slice(0, at) + word[at + 1] + word[at] + word.slice(at + 2)
}

/** Faults in a word that a field chooses from. */
export const WORDS: Kinds = {
  'word: a letter is missing': ofValue(WORD, (word) => word.slice(0, -2) + word.slice(-1)),
  'word: a letter twice': ofValue(WORD, (word) => word.slice(0, 3) + word.slice(2)),
  'word: two letters swapped': ofValue(WORD, swapped),
  'word: a capital': ofValue(WORD, (word) => word.charAt(0).toUpperCase() + word.slice(1)),
  'word: in capitals': ofValue(WORD, (word) => word.toUpperCase()),
  'word: dashes': ofValue(WORD, (word) => (word.includes('_') ? word.replaceAll('_', '-') : undefined)),
  'word: camel case': ofValue(WORD, (word) => (word.includes('_') ? word.replaceAll(/_(.)/gu, (_, letter: string) => letter.toUpperCase()) : undefined)),
  'word: a zero-width space': ofValue(WORD, (word) => `${word.slice(0, 2)}\u200B${word.slice(2)}`),
  'word: another one': ofValue(WORD, () => 'automatic'),
  'word: a template': ofValue(WORD, () => '<todo>'),
  'word: typographic quotes': ofValue(WORD, (word) => `\u201C${word}\u201D`),
  'word: empty': inPlace(WORD, '""'),
  'word: null': inPlace(WORD, 'null'),
  'word: a number': inPlace(WORD, '7'),
  'word: a list': inPlace(WORD, '[read]'),
  'word: a comment by slashes': ofSite(({ path, isInFlow, value }) => WORD.test(path) && !isInFlow && value !== undefined, ({ span }, { text, isBlock }) =>
    isBlock && /^["']/u.test(span.text) === false ? { ...replaced(text, span.end, span.end, ' // for now'), at: [span.start] } : undefined),
  'word: a semicolon': ofSite(({ path, value }) => WORD.test(path) && value !== undefined, ({ span }, { text }) =>
    /^["']/u.test(span.text) ? undefined : { ...replaced(text, span.end, span.end, ';'), at: [span.start] }),
  'word: a comma behind it': ofSite(({ path, value, isInFlow }) => WORD.test(path) && value !== undefined && !isInFlow, ({ span }, { text }) =>
    /^["']/u.test(span.text) ? undefined : { ...replaced(text, span.end, span.end, ','), at: [span.start] }),
} // prettier-ignore

/** Faults in flags, numbers, durations, versions and currencies. */
export const FORMS: Kinds = {
  'flag: yes': ofValue(FLAG, (value) => (isFlag(value) ? 'yes' : undefined)),
  'flag: off': ofValue(FLAG, (value) => (isFlag(value) ? 'off' : undefined)),
  'flag: misspelt': ofValue(FLAG, (value) => (value === 'true' ? 'ture' : value === 'false' ? 'flase' : undefined)),
  'flag: a number': inPlace(FLAG, '1'),
  'flag: quoted': ofSite(({ path, value }) => FLAG.test(path) && value !== undefined && isFlag(value.text), ({ span }, { text }) => replaced(text, span.start, span.end, `"${span.text}"`)),
  'flag: a tag': ofSite(({ path, value }) => FLAG.test(path) && value !== undefined && isFlag(value.text), ({ span }, { text, isJson }) => (isJson ? undefined : replaced(text, span.start, span.end, `!!bool ${span.text}`))),
  'number: quoted': ofSite(({ path }) => AMOUNT.test(path), ({ span }, { text }) => replaced(text, span.start, span.end, `"${span.text}"`)),
  'number: negative': ofSite(({ path }) => AMOUNT.test(path), ({ span }, { text }) => replaced(text, span.start, span.end, `-${span.text}`)),
  'number: with its currency': ofSite(({ path }) => AMOUNT.test(path), ({ span }, { text, isJson }) => (isJson ? undefined : replaced(text, span.start, span.end, `${span.text} EUR`))),
  'number: with a separator': ofSite(({ path }) => AMOUNT.test(path), ({ span }, { text, isJson }) => (isJson ? undefined : replaced(text, span.start, span.end, '1_000'))),
  'number: not finite': ofSite(({ path }) => AMOUNT.test(path), ({ span }, { text, isJson }) => (isJson ? undefined : replaced(text, span.start, span.end, '.inf'))),
  'number: too large': inPlace(/max_uses$/u, '123456789012345678901'),
  'number: a fraction': inPlace(/max_uses|expires_in_seconds$/u, '1.5'),
  'number: zero': inPlace(/max_uses|expires_in_seconds$/u, '0'),
  'number: finer than the currency': ofSite(({ path }) => AMOUNT.test(path), ({ span }, { text }) => replaced(text, span.start, span.end, `${span.text}.125`)),
  'duration: in words': ofValue(DURATION, () => '15 minutes'),
  'duration: short': ofValue(DURATION, () => '15m'),
  'duration: in small letters': ofValue(DURATION, (value) => value.toLowerCase()),
  'duration: a number': inPlace(DURATION, '900'),
  'duration: without its T': ofValue(DURATION, (value) => (value.startsWith('PT') && /[HS]$/u.test(value) ? value.replace('T', '') : undefined)),
  'version: a v': ofValue(/contract_version$/u, (value) => `v${value}`),
  'version: two numbers': inPlace(/contract_version$/u, '1.0'),
  'version: a number': inPlace(/contract_version$/u, '1'),
  'version: a range': ofValue(/contract_version$/u, (value) => `^${value}`),
  'version: a letter for a digit': ofValue(/contract_version$/u, () => '1.O.0'),
  'version: of the protocol, unknown': ofValue(/manifest_metadata\/version$/u, () => '9.24.0'),
  'currency: small letters': ofValue(/\/currency$/u, (value) => (/^[A-Z]{3}$/u.test(value) ? value.toLowerCase() : undefined)),
  'currency: a sign': ofValue(/financial\/currency$/u, () => '\u20AC'),
  'currency: unknown': ofValue(/financial\/currency$/u, () => 'EUX'),
  'id: with a space': ofValue(/service_identity\/id$/u, (value) => `my ${value}`),
  'id: empty': inPlace(/service_identity\/id$/u, '""'),
  'description: empty': inPlace(/capabilities\/\*\/description$/u, '""'),
  'description: to do': inPlace(/capabilities\/\*\/description$/u, 'TODO'),
} // prettier-ignore

/** Values of another kind than the field takes, and names of what is not there. */
export const REFERENCES: Kinds = {
  'kind: a list for a text': inPlace(TEXT, '[x]'),
  'kind: a mapping for a text': inPlace(TEXT, '{ odd: x }'),
  'kind: a number for a text': inPlace(TEXT, '12'),
  'kind: nothing for a text': inPlace(TEXT, 'null'),
  'kind: a text for a list': inPlace(LIST, 'something'),
  'kind: a mapping for a list': inPlace(LIST, '{ odd: x }'),
  'kind: nothing for a list': inPlace(LIST, 'null'),
  'kind: a flag for a list': inPlace(LIST, 'true'),
  'kind: a text for a mapping': inPlace(MAP, 'something'),
  'kind: a list for a mapping': inPlace(MAP, '[x]'),
  'kind: nothing for a mapping': inPlace(MAP, 'null'),
  'kind: an empty composition': ofSite(({ path }) => path.endsWith('/composition'), ({ span, key }, { text }) => ({ ...replaced(text, span.start, span.end, '{}'), at: [span.start, key.start] })),
  'reference: misspelt': ofValue(REFERENCE, (name) => name.slice(0, -2) + name.slice(-1)),
  'reference: plural': ofValue(REFERENCE, (name) => `${name}s`),
  'reference: in capitals': ofValue(REFERENCE, (name) => name.toUpperCase()),
  'reference: dashes': ofValue(REFERENCE, (name) => (name.includes('_') ? name.replaceAll('_', '-') : undefined)),
  'reference: unknown': ofValue(REFERENCE, () => 'nowhere'),
  'reference: in a list': ofSite(({ path }) => /(?:refresh_via|verify_via|fields_logged)$/u.test(path), ({ span }, { text }) => {
    const word = /[a-z_]{3,}/u.exec(span.text)
    if (word === null) return undefined
    const start = span.start + word.index
    return replaced(text, start + word[0].length, start + word[0].length, 'x')
  }),
  'reference: an input of a binding': ofValue(/requires_binding\/\[\]\/field$/u, (name) => `${name}x`),
  'path: to nowhere': ofValue(PATH, (path) => (path.startsWith('$') ? `${path}q` : undefined)),
  'path: without its $': ofValue(PATH, (path) => (path.startsWith('$.') ? path.slice(2) : undefined)),
  'path: one dot too many': ofValue(PATH, (path) => (path.startsWith('$.') ? path.replace('.', '..') : undefined)),
  'path: a misspelt step': ofValue(/output_mapping\/\*$/u, (path) => (path.includes('.steps.') ? path.replace(/\.steps\.(.)/u, '.steps.$1q') : undefined)),
  'path: a misspelt word': ofValue(PATH, (path) => (path.includes('.input.') ? path.replace('.input.', '.inputs.') : undefined)),
  'scope: empty': inPlace(/minimum_scope$/u, '[""]'),
  'scope: a space': inPlace(/minimum_scope$/u, '["a b"]'),
  'scope: twice': ofSite(({ path, span }) => path.endsWith('minimum_scope') && /^\[[^\n]*\w[^\n]*\]$/u.test(span.text), ({ span, key }, { text }) => {
    const first = /[^[\s,\]]+/u.exec(span.text)![0]
    return { ...replaced(text, span.end - 1, span.end - 1, `, ${first}`), at: [span.start, key.start] }
  }),
  'scope: a number': inPlace(/minimum_scope$/u, '[7]'),
  'item: a value twice': ofSite(({ path, span }) => path.endsWith('allowed_values') && /^\[[^\n]*\]$/u.test(span.text), ({ span }, { text }) => {
    const first = /^\[\s*([^\s,\]]+)/u.exec(span.text)?.[1]
    return first === undefined ? undefined : { ...replaced(text, span.end - 1, span.end - 1, `, ${first}`), at: [span.start] }
  }),
  'default: not allowed': ofSite(({ path, previous, next }) => path.endsWith('inputs/[]/default') && [previous, next, next?.next].some((each) => each?.path.endsWith('allowed_values')), ({ span }, { text }) => replaced(text, span.start, span.end, '"elsewhere"')),
  'default: an old octal': inPlace(/inputs\/\[\]\/default$/u, '0755'),
  'name: a dash': ofValue(/inputs\/\[\]\/name$/u, (name) => `${name}-2`),
  'name: a space': ofValue(/output\/fields\/\[\]\/name$/u, (name) => `${name} 2`),
  'name: a number': inPlace(/output\/fields\/\[\]\/name$/u, '42'),
  'name: misspelt, yet used in a path': ofSite(({ path, value }, { text }) => path.endsWith('inputs/[]/name') && text.includes(`$.input.${value?.text}`), ({ value }, { text }) => {
    const uses = text.split(`$.input.${value!.text}`).length - 1
    const use = text.indexOf(`$.input.${value!.text}`)
    const made = replaced(text, value!.start, value!.end, `${value!.text.slice(0, -1)}q`)
    return uses === 1 ? { ...made, at: [value!.start, use] } : undefined
  }),
} // prettier-ignore
