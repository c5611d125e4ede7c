import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { FAILURE_TEXTS } from '../../src/cli/explain/failure-texts.js'
import { ENDPOINTS, type EndpointRow } from '../../src/protocol/endpoints.js'
import { FAILURES, RECOVERY_CLASS_OF, type FailureRow } from '../../src/protocol/failures.js'
import { UNREADABLE } from '../../src/protocol/unreadable.js'
import { DEFAULT_LIMITS } from '../../src/runtime/limits.js'

/** The reference pages are made from the tables; `npx vitest run test/reference -u` writes them anew. */
const page = (title: string, lead: string, head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [`# ${title}`, '', lead, '', ...table(head, rows), ''].join('\n')

const table = (head: readonly string[], rows: readonly (readonly string[])[]): readonly string[] =>
  [head, head.map(() => '---'), ...rows].map(line)

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
const code = (text: string | number): string => `\`${text}\``

it('lists every failure type', async () => {
  const rows = Object.entries<FailureRow>(FAILURES).map(([type, { status, retry, action, sentence }]) => [
    code(type), String(status), retry ? 'yes' : 'no', code(action), code(RECOVERY_CLASS_OF[action]), sentence,
  ]) // prettier-ignore
  const lead =
    'Every failure of the runtime: its HTTP status, whether the very same call may succeed later, what to do next, and the sentence that a redacted caller reads. ' +
    'A handler may add failure types of its own, which are answered with 422 unless they name another status.'
  const texts = Object.entries(FAILURE_TEXTS).map(([type, { cause, remedy }]) => [code(type), cause, remedy])
  const unreadable = Object.entries(UNREADABLE).map(([status, { type, detail }]) => [status, code(type), detail])
  const head = ['type', 'HTTP', 'retry', 'action', 'recovery class', 'sentence']
  const text = [
    page('Failures', lead, head, rows),
    'Why each comes about, and who can change that:',
    '',
    ...table(['type', 'why', 'what to do'], texts),
    '',
    'What cannot be read as a request is answered with a status of its own, and the connection ends.',
    '',
    ...table(['HTTP', 'type', 'detail'], unreadable),
    '',
  ].join('\n')
  await expect(text).toMatchFileSnapshot('../../docs/reference/failures.md')
})

it('lists every endpoint', async () => {
  const rows = Object.entries<EndpointRow>(ENDPOINTS).map(([operation, { method, path, credential, role, key, rpc }]) => [
    operation, method, code(path), `${credential.replaceAll('_', ' ')}${role === undefined ? '' : `, role ${role}`}`, key === undefined ? '' : code(key),
    rpc === undefined ? '' : code(rpc),
  ]) // prettier-ignore
  const lead =
    'What a service answers to, which credential it takes, the key under which discovery lists it, and its method over stdio. Endpoints that a manifest does not need are neither served nor listed. With `metadata_disclosure: { manifest: bearer }` manifest, tools, openapi and graph take a bootstrap credential or a delegation token.'
  await expect(
    page('Endpoints', lead, ['operation', 'method', 'path', 'credential', 'key in discovery', 'over stdio'], rows),
  ).toMatchFileSnapshot('../../docs/reference/endpoints.md')
})

it('lists every limit', async () => {
  const source = readFileSync('src/runtime/limits.ts', 'utf8')
  const rows = Object.entries(DEFAULT_LIMITS).map(([name, value]) => [
    code(name),
    String(value),
    meaningOf(source, name),
  ])
  const lead = 'Bounds of one service process and their defaults. Set any of them with `limits` of `createService`.'
  await expect(page('Limits', lead, ['limit', 'default', 'meaning'], rows)).toMatchFileSnapshot(
    '../../docs/reference/limits.md',
  )
})

/** The comment above the member, or its name in words. */
function meaningOf(source: string, name: string): string {
  const comment = new RegExp(`/\\*\\*((?:(?!\\*/)[^])*)\\*/\\n  readonly ${name}:`, 'u')
    .exec(source)?.[1]
    ?.replaceAll(/\s+(?:\*\s+)?/gu, ' ')
    .trim()
  return (
    comment ??
    `${name.replaceAll(/(?<=[a-z])[A-Z]/gu, (letter) => ` ${letter.toLowerCase()}`)}.`.replace(/^./u, (letter) =>
      letter.toUpperCase(),
    )
  )
}
