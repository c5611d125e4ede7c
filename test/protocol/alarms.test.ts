/** Alarms: each says what it means, and its command is one that the program has. */
import { Command } from 'commander'
import { expect, it } from 'vitest'
import { COMMANDS } from '../../src/cli/commands.js'
import { ALARM_WORDS, alarmWords } from '../../src/protocol/alarms.js'
import type { ServiceEvent } from '../../src/protocol/events.js'
import { messageOf } from '../../src/runtime/events/targets/message.js'

/** The program, of which every command only says that it was understood. */
function program(understood: string[]): Command {
  const svc = new Command('svc')
  for (const register of COMMANDS) register(svc)
  const prepare = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => undefined, outputError: () => undefined })
    if (command.commands.length === 0) command.action(() => void understood.push(command.name()))
    command.commands.forEach(prepare)
  }
  prepare(svc)
  return svc
}

const COMMANDS_OF_ALARMS = [...new Set(Object.values(ALARM_WORDS).flatMap(({ command }) => command ?? []))]

it.each(COMMANDS_OF_ALARMS)('%s is a command with its arguments', async (command) => {
  const understood: string[] = []
  const [svc, ...args] = command.split(' ').map((word) => (word.startsWith('<') ? 'x' : word))
  expect(svc).toBe('svc')
  await program(understood).parseAsync(args, { from: 'user' })
  expect(understood).toHaveLength(1)
})

it.each(Object.entries(ALARM_WORDS))('%s says what it means and what ends it, in sentences', (_, { means, ends }) => {
  expect([means, ends]).toEqual([expect.stringMatching(/^[A-Z].+\.$/u), expect.stringMatching(/^[A-Z].+\.$/u)])
})

it('of a newer service has its name', () => {
  expect(alarmWords('disk_full')).toEqual({ means: 'The service raises disk_full.', ends: 'See its log.', command: 'svc doctor --production' }) // prettier-ignore
})

it('stands in a message with both', () => {
  const event = { type: 'alarm.raised', source: 'clinic', data: { alarm: 'api_key_unknown' } } as unknown
  expect(messageOf(event as ServiceEvent).lines).toEqual([
    'Meaning: Tokens are valid that were issued with an API key that is no longer in the file.',
    'Next step: Put the key back, or revoke its tokens. svc operate end --api-key <id> --reason <text>',
    'Service: clinic',
  ])
})
