import { ofKey, ofSite, replaced, type Kinds } from '../fault.js'

/** Fields of the table, not the author's own names. */
const FIELD = /(?:^|\/)(?!x-)[a-z_]+$/u
const long = (name: string): boolean => name.length > 4
const SNAKE = /_/u

/** What people of other tools write for a field. */
const SYNONYMS: { readonly [field: string]: string } = {
  description: 'summary', inputs: 'parameters', output: 'returns', minimum_scope: 'scopes', contract_version: 'version_number',
  capabilities: 'operations', fields: 'properties', allowed_values: 'enum', side_effect: 'effect', service_identity: 'service',
} // prettier-ignore

/** Faults in the name of a field. */
export const KEYS: Kinds = {
  'key: a letter is missing': ofKey(FIELD, (name) => (long(name) ? name.slice(0, 2) + name.slice(3) : undefined)),
  'key: a letter twice': ofKey(FIELD, (name) => (long(name) ? name.slice(0, 3) + name.slice(2) : undefined)),
  'key: two letters swapped': ofKey(FIELD, (name) =>
    long(name) && name[2] !== name[3] ? name.slice(0, 2) + name[3] + name[2] + name.slice(4) : undefined),
  'key: a wrong letter': ofKey(FIELD, (name) => (long(name) ? `${name.slice(0, -2)}q${name.slice(-1)}` : undefined)),
  'key: a letter too many': ofKey(FIELD, (name) => (long(name) ? `${name}x` : undefined)),
  'key: a capital': ofKey(FIELD, (name) => name.charAt(0).toUpperCase() + name.slice(1)),
  'key: in capitals': ofKey(FIELD, (name) => name.toUpperCase()),
  'key: camel case': ofKey(FIELD, (name) =>
    SNAKE.test(name) ? name.replaceAll(/_(.)/gu, (_, letter: string) => letter.toUpperCase()) : undefined),
  'key: dashes': ofKey(FIELD, (name) => (SNAKE.test(name) ? name.replaceAll('_', '-') : undefined)),
  'key: spaces': ofKey(FIELD, (name) => (SNAKE.test(name) ? name.replaceAll('_', ' ') : undefined)),
  'key: joined words': ofKey(FIELD, (name) => (SNAKE.test(name) ? name.replaceAll('_', '') : undefined)),
  'key: the other number': ofKey(/(?:^|\/)(?:inputs|fields|capabilities|steps|allowed_values)$/u, (name) => name.slice(0, -1)),
  'key: a plural': ofKey(/(?:^|\/)(?:output|description|composition|approval|cost|resolution)$/u, (name) => `${name}s`),
  'key: a zero-width space': ofKey(FIELD, (name) => (long(name) ? `${name.slice(0, 3)}\u200B${name.slice(3)}` : undefined)),
  'key: a Cyrillic letter': ofKey(FIELD, (name) => (/e/u.test(name) ? name.replace('e', '\u0435') : undefined)),
  'key: a dollar': ofKey(FIELD, (name) => `$${name}`),
  'key: a synonym': ofKey(/(?:^|\/)(?:description|inputs|output|minimum_scope|contract_version|capabilities|fields|allowed_values|side_effect|service_identity)$/u,
    (name) => SYNONYMS[name]),
  'key: given twice': ofSite(({ path, value, isInFlow }) => FIELD.test(path) && value !== undefined && !isInFlow && !value.text.includes('\n'), ({ key, span }, { text }) => {
    const start = text.lastIndexOf('\n', key.start) + 1
    const indent = ' '.repeat(key.start - start)
    const made = replaced(text, span.end, span.end, `\n${indent}${text.slice(key.start, span.end)}`)
    return text.slice(span.end).trimStart().startsWith('#') || text.slice(key.start, span.end).includes('\n') ? undefined : { ...made, at: [span.end + 1, key.start] }
  }),
  'key: given twice in braces': ofSite(({ path, value, isInFlow, next }) => FIELD.test(path) && value !== undefined && isInFlow && next !== undefined, ({ key, span }, { text }) => {
    const written = text.slice(key.start, span.end)
    const made = replaced(text, span.end, span.end, `, ${written}`)
    return { ...made, at: [span.end, key.start] }
  }),
} // prettier-ignore
