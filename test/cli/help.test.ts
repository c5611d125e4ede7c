/** What each command says of itself: its words, its options with their defaults, its examples and its exit codes. */
import { Command } from 'commander'
import { describe, expect, it, vi } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { written } from './written.js'

const program = new Command('svc')
for (const register of COMMANDS) register(program)
const below = ({ commands }: Command, path: readonly string[]): readonly (readonly string[])[] =>
  commands.flatMap((command) => [[...path, command.name()], ...below(command, [...path, command.name()])])

/** Text of `--help` of a command and of those below it. */
async function helpOf(name: string): Promise<string> {
  const paths = below(program, []).filter(([first]) => first === name)
  const pages: string[] = []
  for (const path of paths) {
    const { code, text } = await written([...path, '--help'])
    expect([path, code]).toEqual([path, 0])
    pages.push(`\`\`\`text\n$ svc ${[...path, '--help'].join(' ')}\n${text.trim()}\n\`\`\`\n`)
  }
  return pages.join('\n')
}

it('the reference of commands is what --help prints', async () => {
  const { code, text } = await written(['--help'])
  expect(code).toBe(0)
  const page = [
    `# Commands\n\nEach page is what \`--help\` prints.\n\n\`\`\`text\n$ svc --help\n${text.trim()}\n\`\`\`\n`,
  ]
  let last = ''
  for (const command of program.commands) {
    const group = command.helpGroup().replace(/:$/u, '')
    if (group !== last) page.push(`## ${group}\n`)
    last = group
    page.push(`### svc ${command.name()}\n\n${await helpOf(command.name())}`)
  }
  await expect(page.join('\n')).toMatchFileSnapshot('../../docs/reference/commands.md')
})

async function refused(...args: readonly string[]): Promise<readonly [code: number, said: string]> {
  let said = ''
  const spy = vi.spyOn(process.stderr, 'write').mockImplementation((chunk) => ((said += String(chunk)), true))
  const { code } = await written(args)
  spy.mockRestore()
  return [code, said.split('\n')[0] ?? '']
}

describe('options that exclude each other, or take other words', () => {
  it.each([
    [['validate', '--json', '--format', 'sarif'], "error: option '--json' cannot be used with option '--format <format>'"],
    [['validate', '--format', 'xml'], "error: option '--format <format>' argument 'xml' is invalid. Allowed choices are text, json, sarif, github, gitlab, junit."],
    [['validate', '--fail-on', 'never'], "error: option '--fail-on <severity>' argument 'never' is invalid. Allowed choices are error, warning, info."],
    [['validate', '--preset', 'lax'], "error: option '--preset <preset>' argument 'lax' is invalid. Allowed choices are minimal, recommended, strict."],
    [['validate', '--max-problems', '-1'], "error: option '--max-problems <number>' argument '-1' is invalid. It must be a whole number."],
    [['validate', '--max-problems', '1234567890'], "error: option '--max-problems <number>' argument '1234567890' is invalid. It must be a whole number."],
    [['validate', '--max-problems', '1.5'], "error: option '--max-problems <number>' argument '1.5' is invalid. It must be a whole number."],
    [['keys', 'list', '--json', '--jwks'], "error: option '--json' cannot be used with option '--jwks'"],
    [['keys', 'list', '--json', '--kids'], "error: option '--json' cannot be used with option '--kids'"],
    [['keys', 'list', '--kids', '--jwks'], "error: option '--kids' cannot be used with option '--jwks'"],
    [['keys', 'list', '--role', 'mine'], "error: option '--role <role>' argument 'mine' is invalid. Allowed choices are manifest, tokens, audit, rows,"],
    [['keys', 'rotate'], "error: required option '--role <role>' not specified"],
    [['keys', 'generate', '--public-key', 'a', '--print'], "error: option '--public-key <file>' cannot be used with option '--print'"],
    [['keys', 'retire', 'a', '--keep-verifying', '--until-checkpoint', 'b'], "error: option '--until-checkpoint <file>' cannot be used with option '--keep-verifying'"],
    [['verify', 'a', '--jwks', 'b', '--json', '--format', 'text'], "error: option '--json' cannot be used with option '--format <format>'"],
    [['login', '--send', 'both'], "error: option '--send <token>' argument 'both' is invalid. Allowed choices are access, id."],
    [['test', '--format', 'json'], "error: option '--format <format>' argument 'json' is invalid. Allowed choices are text, junit."],
    [['completion', 'tcsh'], "error: command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish."],
    [['completion'], "error: missing required argument 'shell'"],
    [['explain'], "error: missing required argument 'name'"],
    [['schema', 'manifests'], "error: command-argument value 'manifests' is invalid for argument 'name'."],
    [['import', 'openapi'], "error: missing required argument 'source'"],
    [['build', '--json', '--watch'], "error: option '--json' cannot be used with option '--watch'"],
    [['build', '--before-start', '--watch'], "error: option '--before-start' cannot be used with option '--watch'"],
    [['build', '--before-start', '--json'], "error: option '--before-start' cannot be used with option '--json'"],
    [['build', '--before-start', '--check'], "error: option '--before-start' cannot be used with option '--check'"],
    [['build', '--before-start', '--force'], "error: option '--before-start' cannot be used with option '--force'"],
    [['signer', '--socket', 'a', '--listen', 'b'], "error: option '--socket <path>' cannot be used with option '--listen"],
    [['signer', '--mode', '0644'], "error: option '--mode <mode>' argument '0644' is invalid. Allowed choices are 0600, 0660."],
    [['mcp', 'config'], "error: required option '--client <client>' not specified"],
    [['mcp', 'config', '--client', 'vim'], "error: option '--client <client>' argument 'vim' is invalid."],
    [['invocations', 'resolve', 'inv-1'], "error: required option '--reason <text>' not specified"],
    [['operate', 'pause', 'a'], "error: required option '--reason <text>' not specified"],
    [['operate', 'tokens', '--state', 'gone'], "error: option '--state <state>' argument 'gone' is invalid. Allowed choices are"],
    [['operate', 'end', 'a'], "error: required option '--reason <text>' not specified"],
    [['operate', 'revoke-grant', 'a'], "error: required option '--reason <text>' not specified"],
    [['operate', 'resume', 'a'], "error: required option '--reason <text>' not specified"],
    [['audit', 'verify', 'a', '--json', '--format', 'text', '--jwks', 'b'], "error: option '--json' cannot be used with option '--format <format>'"],
    [['audit', 'erase', '--reason', 'a'], "error: required option '--entries <sequences>' not specified"],
    [['audit', 'erase', '--entries', '1'], "error: required option '--reason <text>' not specified"],
    [['audit', 'witness', '--witness', 'a', '--witness-key', 'b'], "error: required option '--service <url>' not specified"],
    [['audit', 'witness', '--service', 'a', '--witness-key', 'b'], "error: required option '--witness <url>' not specified"],
    [['audit', 'witness', '--service', 'a', '--witness', 'b'], "error: required option '--witness-key <key>' not specified"],
    [['audit', 'resume'], "error: required option '--reason <text>' not specified"],
    [['events', 'list', '--state', 'gone'], "error: option '--state <state>' argument 'gone' is invalid. Allowed choices are"],
    [['events', 'list', '--type', 'gone'], "error: option '--type <type>' argument 'gone' is invalid. Allowed choices are"],
    [['events', 'resend', 'a'], "error: required option '--reason <text>' not specified"],
    [['verify', 'a'], "error: required option '--jwks <file>' not specified"],
    [['token', 'issue'], "error: required option '--scope <scope...>' not specified"],
    [['migrate', 'copy'], "error: required option '--from <file>' not specified"],
    [['diff', 'a', 'b', '--format', 'xml'], "error: option '--format <format>' argument 'xml' is invalid. Allowed choices are"],
    [['diff', 'a', 'b', '--format', 'text', '--json'], "error: option '--json' cannot be used with option '--format <format>'"],
    [['validat'], "error: unknown command 'validat'"],
    [['validate', '--formt'], "error: SVC0003 unknown-option: '--formt'"],
  ])('%j', async (args, message) => {
    const [code, said] = await refused(...args)
    expect([code, said.slice(0, message.length)]).toEqual([2, message])
  }) // prettier-ignore
})
