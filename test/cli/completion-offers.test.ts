/** What is offered in the place of a word, by the words before it, and how each shell reads it. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Command } from 'commander'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { offersFor } from '../../src/cli/completion/offers.js'
import { printed, scriptOf, SHELLS } from '../../src/cli/completion/scripts.js'

const program = new Command('svc')
for (const register of COMMANDS) register(program)

const home = process.cwd()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-offers-'))
  process.chdir(folder)
  writeFileSync('svc.yaml', 'include: [more.yaml]\ncapabilities:\n  one: { description: Does one. Well. }\n  two: {}\n')
  writeFileSync('more.yaml', 'capabilities:\n  one_more: { description: 5 }\n')
})
afterEach(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})
const offered = async (...words: readonly string[]): Promise<string> =>
  (await offersFor(program, words)).map(({ word }) => word).join(' ')

it.each([
  [[''], 'init import validate fmt test diff explain rules build dev login logout connections token permissions why call mcp approvals operate invocations events doctor keys signer apikeys sign migrate audit verify conformance schema agent-guide completion lsp'],
  [['keys', ''], 'generate list pin rotate retire'],
  [['keys', 'l'], 'list'],
  [['keys', 'list', ''], ''],
  [['keys', 'list', '-'], '--dir --role --json --kids --jwks --help'],
  [['keys', 'list', '--role', ''], 'manifest tokens audit rows connections'],
  [['keys', 'list', '--role', 't'], 'tokens'],
  [['keys', 'list', '--role', 'tokens', '-'], '--dir --role --json --kids --jwks --help'],
  [['keys', 'list', '--json', ''], ''],
  [['keys', 'list', '--dir', ''], ''],
  [['validate', '--format', 's'], 'sarif'],
  [['validate', '--fail-on', ''], 'error warning info'],
  [['validate', 'a', 'keys', ''], ''],
  [['diff', 'keys', ''], ''],
  [['mcp', 'config', '--client', ''], 'claude-code cursor vscode inspector'],
  [['call', ''], 'one two one_more'],
  [['call', 'one', ''], ''],
  [['call', '--wait-approval', 't'], 'two'],
  [['mcp', 'other', 'config', '--client', ''], ''],
  [['why', 'o'], 'one one_more'],
  [['call', '--url', ''], ''],
  [['call', '--url', 'x', 't'], 'two'],
  [['operate', 'pause', ''], 'one two one_more'],
  [['audit', 'list', '--capability', ''], 'one two one_more'],
  [['schema', 'audit-'], 'audit-page audit-entry audit-lineage'],
  [['schema', 'manifest', ''], ''],
  [['completion', ''], 'bash zsh fish'],
  [['explain', 'SVC0101'], 'SVC0101'],
  [['explain', 'requires_p'], 'requires_principal'],
  [['none', ''], ''],
  [['--version', 'ke'], 'keys'],
])('after %j', async (words, wanted) => {
  expect(await offered(...words)).toBe(wanted)
}) // prettier-ignore

it('says what each is for, of capabilities what their description says', async () => {
  expect(await offersFor(program, ['call', ''])).toEqual([
    { word: 'one', about: 'Does one. Well.' },
    { word: 'two', about: '' },
    { word: 'one_more', about: '' },
  ])
  expect(await offersFor(program, ['keys', 'pi'])).toEqual([
    {
      word: 'pin',
      about: 'Pin the keys that may sign the manifest in svc.lock.json, so that the generated client takes no others.',
    },
  ])
  expect(await offersFor(program, ['fm'])).toEqual([{ word: 'fmt', about: 'format a manifest' }])
  expect(await offersFor(program, ['explain', 'requires_p'])).toEqual([
    { word: 'requires_principal', about: 'a field of the manifest' },
  ])
  rmSync('svc.yaml')
  expect(await offered('call', '')).toBe('')
})

const OFFERS = [
  { word: 'a:b', about: `${'x'.repeat(60)}. More.` },
  { word: 'c', about: 'y'.repeat(61) },
  { word: 'd\u001b', about: 'e\n. f' },
]
it.each([
  ['bash', 'a:b\nc\nd\\u001b\n'],
  ['zsh', `a\\:b:${'x'.repeat(60)}\nc:${'y'.repeat(59)}…\nd\\u001b:e\\u000a\n`],
  ['fish', `a:b\t${'x'.repeat(60)}\nc\t${'y'.repeat(59)}…\nd\\u001b\te\\u000a\n`],
] as const)('%s reads a line for each', (shell, lines) => {
  expect(printed(shell, OFFERS)).toBe(lines)
})

it('each shell has its script', async () => {
  await expect(SHELLS.map(scriptOf).join('')).toMatchFileSnapshot('completion-scripts.txt')
})
