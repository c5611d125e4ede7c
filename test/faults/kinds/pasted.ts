import {
  blockEnd,
  endsInKey,
  indentOf,
  insertedBefore,
  isKeyLine,
  isScalarLine,
  ofLine,
  type Kind,
  type Kinds,
} from '../fault.js'

const isField = (line: string): boolean => /^ {4,}[a-z_]+: \S/u.test(line)
/** The name of a capability: what is below it begins with its description. */
const isCapability = (line: string, lines: readonly string[], at: number): boolean =>
  /^ {2,4}[a-z_.]+:$/u.test(line) &&
  /^\s+description:/u.test(lines.slice(at + 1).find((each) => !/^\s*(?:#|$)/u.test(each)) ?? '')

/** A kind that writes a text around a whole file, or at one end. */
const around =
  (before: string, after: string, isAtEnd = false): Kind =>
  ({ text, isJson }) => {
    if (isJson) return undefined
    const lineEnd = text.includes('\r\n') ? '\r\n' : '\n'
    const end = text.endsWith('\n') ? text : text + lineEnd
    const [head, tail] = [before, after].map((part) => part.replaceAll('\n', lineEnd)) as [string, string]
    const last = head.length + end.length + (tail.length - tail.trimStart().length)
    return { text: head + end + tail, at: isAtEnd ? [last] : [0] }
  }

/** A block moved, or its lines written otherwise. */
const ofBlock =
  (fits: (line: string, lines: readonly string[], at: number) => boolean, change: (block: readonly string[]) => readonly string[], right: (at: number, size: number) => readonly number[]): Kind =>
  ({ text, isBlock }, random) => {
    if (!isBlock) return undefined
    const lines = text.split('\n')
    const at = random(lines.flatMap((line, index) => (fits(line, lines, index) ? [index] : [])))
    if (at === undefined) return undefined
    const end = blockEnd(lines, at)
    const now = [...lines.slice(0, at), ...change(lines.slice(at, end)), ...lines.slice(end)]
    const offset = (line: number): number => now.slice(0, line).join('\n').length + (line === 0 ? 0 : 1)
    return { text: now.join('\n'), at: right(at, end - at).map(offset) }
  } // prettier-ignore

const moved = (line: string, by: number): string =>
  line.trim() === '' ? line : ' '.repeat(Math.max(0, indentOf(line) + by)) + line.trimStart()

/** What is pasted with a manifest, or left in it. */
export const PASTED: Kinds = {
  'comment: slashes': insertedBefore(isField, (indent) => [`${indent}// the version of the contract`]),
  'comment: slashes at the margin': insertedBefore(isField, () => ['// do not change this']),
  'comment: slashes before a capability': insertedBefore(isCapability, (indent) => [`${indent}// the next one`]),
  'comment: slash and star': insertedBefore(isField, (indent) => [`${indent}/* the version of the contract */`]),
  'comment: of HTML': insertedBefore(isField, (indent) => [`${indent}<!-- the version of the contract -->`]),
  'comment: of SQL': insertedBefore(isField, (indent) => [`${indent}-- the version of the contract`]),
  'prose: at the margin': insertedBefore(isField, () => ['TODO ask Maria whether this needs an approval']),
  'prose: indented': insertedBefore(isField, (indent) => [`${indent}ask Maria whether this needs an approval`]),
  'prose: with a colon': insertedBefore(isField, (indent) => [`${indent}Note to self: ask Maria whether this needs an approval`]),
  'prose: a word': insertedBefore(isField, (indent) => [`${indent}TODO`]),
  'prose: two lines': insertedBefore(isField, () => ['Here is the manifest that you asked for.', 'I hope that it helps.']),
  'prose: before everything': around('Here is the manifest that you asked for.\n\n', ''),
  'prose: behind everything': around('', '\nLet me know whether this works for you.\n', true),
  'fence: around': around('```yaml\n', '```\n'),
  'fence: above': around('```yaml\n', ''),
  'fence: below': around('', '```\n', true),
  'fence: tildes': around('~~~\n', '~~~\n'),
  'shell: a prompt above': around('$ cat svc.yaml\n', ''),
  'diff: a plus': ofLine((line) => (/^ {4,}[a-z]/u.test(line) ? `+${line.slice(1)}` : undefined)),
  'diff: a plus before all spaces': ofLine((line) => (/^ {4,}[a-z]/u.test(line) ? `+${line}` : undefined)),
  'diff: a minus': ofLine((line) => (/^ {4,}[a-z_]+: \S/u.test(line) ? `-${line.slice(1)}` : undefined)),
  'diff: a hunk': insertedBefore(isField, () => ['@@ -12,6 +12,7 @@']),
  'mail: a quote': ofLine((line) => (/^ {4,}[a-z_]+: \S/u.test(line) ? `> ${line}` : undefined)),
  'conflict: both sides': ofLine((line) => (isScalarLine(line) && /^ {4}[a-z]/u.test(line) ? `<<<<<<< HEAD\n${line}\n=======\n${line}\n>>>>>>> theirs` : undefined), (at) => [at, at + 2, at + 4]),
  'conflict: a mark is left': insertedBefore(isField, () => ['>>>>>>> feature/refunds']),
  'conflict: a middle mark is left': insertedBefore(isField, () => ['=======']),
  'template: a value': ofLine((line) => (/contract_version: /u.test(line) ? line.replace(/contract_version: .*$/u, 'contract_version: {{ version }}') : undefined)),
  'template: a value with a filter': ofLine((line) => (/contract_version: /u.test(line) ? line.replace(/contract_version: .*$/u, 'contract_version: {{ .Values.version | quote }}') : undefined)),
  'template: a variable': ofLine((line) => (/contract_version: /u.test(line) ? line.replace(/contract_version: .*$/u, 'contract_version: ${VERSION}') : undefined)),
  'template: a condition of Helm': insertedBefore(isField, () => ['{{- if .Values.enabled }}']),
  'template: a condition of Jinja': insertedBefore(isField, (indent) => [`${indent}{% if enabled %}`]),
  'template: a condition around a field': ofLine((line) => (isField(line) && isScalarLine(line) ? `{{- if .Values.enabled }}\n${line}\n{{- end }}` : undefined), (at) => [at, at + 2]),
  'document: a mark in the middle': insertedBefore((line) => /^ {4}[a-z]/u.test(line), () => ['---']),
  'document: a mark before a capability': insertedBefore(isCapability, () => ['---']),
  'document: an end in the middle': insertedBefore((line) => /^ {4}[a-z]/u.test(line), () => ['...']),
  'root: a field that is not known': around('', 'paths: /orders\n', true),
  'root: a block that is not known': around('', 'webhooks:\n  url: https://example.com\n', true),
  'alias: unknown': ofLine((line) => (/minimum_scope: /u.test(line) ? line.replace(/: .*$/u, ': *scopes') : undefined)),
  'alias: misspelt': ({ text, isBlock }, random) => {
    const scope = /(?<=minimum_scope: )\[[^\]]*\]/gu
    const all = isBlock ? [...text.matchAll(scope)] : []
    const second = random(all.slice(1))
    if (all.length < 2 || second === undefined) return undefined
    const changed = text.slice(0, second.index) + '*reading_scope' + text.slice(second.index + second[0].length)
    const first = all[0]!
    return { text: `${changed.slice(0, first.index)}&reading_scopes ${changed.slice(first.index)}`, at: [second.index + 16] }
  },
  'alias: a merge key': insertedBefore((line) => /^ {4}[a-z]/u.test(line), (indent) => [`${indent}<<: { kind: atomic }`]),
  'tag: an object of Python': ofLine((line) => (isScalarLine(line) && / description: /u.test(line) ? line.replace(': ', ': !!python/object ') : undefined)),
  'pasted: a field twice': ofLine((line) => (isScalarLine(line) && /^ {4}[a-z]/u.test(line) ? `${line}\n${line}` : undefined), (at) => [at, at + 1]),
  'pasted: a capability twice': ofBlock(isCapability, (block) => [...block, ...block], (at, size) => [at, at + size]),
} // prettier-ignore

/** Below its key, the first of two lines that differ is as good as the second. */
const orNext = (at: number, lines: readonly string[]): readonly number[] => {
  const next = lines.findIndex(
    (line, index) => index > at && !/^\s*(?:#|$)/u.test(line) && indentOf(line) <= indentOf(lines[at]!),
  )
  return endsInKey(lines[at - 1] ?? '') || /^\s*#/u.test(lines[at - 1] ?? '') ? [at, next] : [at]
}

/** Slips in the indentation. */
export const LAYOUT: Kinds = {
  'layout: a space deeper': ofLine((line) => (isKeyLine(line) ? moved(line, 1) : undefined), orNext),
  'layout: a level deeper': ofLine((line) => (isKeyLine(line) ? moved(line, 2) : undefined)),
  'layout: a space shallower': ofLine((line) => (isKeyLine(line) && indentOf(line) > 0 ? moved(line, -1) : undefined), orNext),
  'layout: a level shallower': ofLine((line) => (isKeyLine(line) && indentOf(line) > 0 ? moved(line, -2) : undefined)),
  'layout: a tab': ofLine((line) => (/^ {2,}[a-z]/u.test(line) ? line.replace(/^ +/u, (spaces) => '\t'.repeat(spaces.length / 2)) : undefined)),
  'layout: a tab behind the spaces': ofLine((line) => (/^ {2,}[a-z]/u.test(line) ? line.replace(/^( +)/u, '$1\t') : undefined)),
  'layout: no-break spaces': ofLine((line) => (/^ {2,}[a-z]/u.test(line) ? line.replace(/^ +/u, (spaces) => '\u00A0'.repeat(spaces.length)) : undefined)),
  'layout: a block at the column of its key': ofBlock((line, lines, at) => endsInKey(line) && indentOf(lines[at + 1] ?? '') > indentOf(line) && !/^\s*- /u.test(lines[at + 1]!), ([key = '', ...rest]) => [key, ...rest.map((line) => moved(line, indentOf(key) - indentOf(rest[0]!)))], (at) => [at, at + 1, at + 2]),
  'layout: a capability at the margin': ofBlock((line, lines, at) => isCapability(line, lines, at) && /^capabilities:/mu.test(lines.slice(0, at).join('\n')), (block) => block.map((line) => moved(line, -indentOf(block[0]!))), (at) => [at]),
  'layout: a capability a level too deep': ofBlock((line, lines, at) => isCapability(line, lines, at) && /^capabilities:/mu.test(lines.slice(0, at - 1).join('\n')), (block) => block.map((line) => moved(line, 2)), (at) => [at]),
} // prettier-ignore
