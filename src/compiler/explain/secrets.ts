import { valueAt, type Span, type YamlNode } from '../parse/tree.js'
import { unquoted } from './unquoted.js'
import { isSecretName, KNOWN_SECRETS, maySecretsHide } from '../rules/facts/secrets.js'

/** Shorter ones are words that occur elsewhere, too. */
const SHORTEST = 4

/** First line of a private key; not itself a secret, so a message may contain it. */
const ARMOUR = /-----BEGIN (?:[A-Z]+ )?PRIVATE KEY-----/giu

/** The secrets of some files: what looks like a credential, and the defaults of inputs that hold one. */
export function secretsOf(texts: readonly string[], roots: readonly (YamlNode | undefined)[]): readonly string[] {
  const known = texts.flatMap((text) => (maySecretsHide(text) ? (text.match(KNOWN_SECRETS) ?? []) : []))
  const values = [...known, ...roots.flatMap(secretDefaults)].flatMap((value) =>
    value.replace(ARMOUR, ' ').split(/\s+/u),
  )
  return [...new Set(values)].filter(({ length }) => length >= SHORTEST)
}

/** The text without the secrets, whole or cut off, in whichever case. What stands for them has the same length. */
export function conceal(text: string, secrets: readonly string[]): string {
  const lower = inLowerCase(text)
  const known = [...text.matchAll(KNOWN_SECRETS)].map(({ 0: { length }, index }) => ({
    start: index,
    end: index + length,
  }))
  // All are looked for in what was written: two may begin alike, and what one hides is a part of the other.
  const places = [...known, ...secrets.flatMap((secret) => placesOf(lower, inLowerCase(secret)))]
  const parts: string[] = []
  let from = 0
  for (const { start, end } of places.toSorted((one, other) => one.start - other.start)) {
    if (end <= from) continue
    const begin = Math.max(start, from)
    parts.push(text.slice(from, begin), stars(text.slice(begin, end)))
    from = end
  }
  return [...parts, text.slice(from)].join('')
}

/** Each character stays where it is: `İ` is two in lower case, and stands as it is written. */
function inLowerCase(text: string): string {
  const lower = text.toLowerCase()
  if (lower.length === text.length) return lower
  return Array.from(text, (each) => (each.toLowerCase().length === each.length ? each.toLowerCase() : each)).join('')
}

/** The lines of a value as they may be elsewhere, too. */
export const linesOfSecret = (value: string): readonly string[] =>
  unquoted(value)
    .split(/\s*\n\s*/u)
    .filter(({ length }) => length >= SHORTEST)

const stars = (text: string): string => text.replaceAll(/\S/gu, '*')

/** Checks quickly whether an input may have a secret's name. */
export const mayNameSecrets = (text: string): boolean =>
  /name["']?\s*:\s*["']?\w*(?:pass(?:word|wd|phrase)|secret|api_?key|token|bearer|private_?key|credential|pin|cv[vc])s?\b/i.test(
    text,
  )

/** A message may cut a long value short: a beginning of it counts, if it is long enough to be told from a word. */
const BEGINNING = 8

function placesOf(text: string, secret: string): readonly Span[] {
  const places: Span[] = []
  const beginning = secret.slice(0, BEGINNING)
  for (let at = text.indexOf(beginning); at !== -1; at = text.indexOf(beginning, places.at(-1)!.end)) {
    let length = beginning.length
    while (length < secret.length && text[at + length] === secret[length]) length++
    places.push({ start: at, end: at + length })
  }
  return places
}

/** Returns the default values of inputs with a secret's name, valid or not. */
function secretDefaults(root: YamlNode | undefined): readonly string[] {
  const capabilities = root?.kind === 'map' ? valueAt(root, 'capabilities') : undefined
  if (capabilities?.kind !== 'map') return []
  return capabilities.values.flatMap((capability) => {
    const inputs = capability.kind === 'map' ? valueAt(capability, 'inputs') : undefined
    return inputs?.kind === 'list' ? inputs.items.flatMap(valuesOfSecret) : []
  })
}

function valuesOfSecret(input: YamlNode): readonly string[] {
  if (input.kind !== 'map') return []
  const name = valueAt(input, 'name')
  if (name?.kind !== 'scalar' || !isSecretName(String(name.value))) return []
  return ['default', 'allowed_values'].flatMap((field) => scalarsIn(valueAt(input, field)))
}

function scalarsIn(node: YamlNode | undefined): readonly string[] {
  if (node === undefined) return []
  if (node.kind === 'scalar') return typeof node.value === 'boolean' || node.value === null ? [] : [String(node.value)]
  return (node.kind === 'list' ? node.items : node.values).flatMap(scalarsIn)
}
