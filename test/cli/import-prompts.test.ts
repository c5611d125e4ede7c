import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { atTerminal } from './terminal.js'

const ENTER = '\r'
const CTRL_C = '\u0003'

function folder(): string {
  const made = mkdtempSync(join(tmpdir(), 'svc-prompts-'))
  onTestFinished(() => rmSync(made, { recursive: true, force: true, maxRetries: 20 }))
  return made
}

const fragmentOf = (root: string, name: string) => readFileSync(join(root, 'capabilities', `${name}.yaml`), 'utf8')

const effectOf = (name: string, text: string) =>
  new RegExp(`^  ${name}:\\n(?:    .*\\n)*?    side_effect: \\{ type: (\\w+)`, 'mu').exec(text)?.[1]

describe('svc import mcp at a terminal', () => {
  const server = resolve('node_modules/.bin/mcp-server-filesystem')
  const start = (root: string) => {
    mkdirSync(join(root, 'docs'))
    return atTerminal(root, ['import', 'mcp', '--into', 'desk', '--', server, 'docs'], CTRL_C)
  }

  it('asks which tools, which of them may write, and what a write costs', async () => {
    const root = folder()
    const { says, press, ended } = start(root)
    await says(/Which tools become capabilities\?/u)
    await says(/Enter: confirm/u)
    press('a')
    await says(/◼ list_allowed_directories/u)
    press(ENTER)
    await says(/Which of them may write\?[^]*◻ read_media_file[^]*◼ write_file[^]*Enter: confirm/u)
    press(ENTER)
    await says(/What does a write cost[^]*1 EUR/u)
    press('2 EUR')
    await says(/2 EUR/u)
    press(ENTER)
    await says(/14 of 14 tools imported/u)
    await ended
    const text = fragmentOf(join(root, 'desk'), 'filesystem')
    expect([effectOf('write_file', text), effectOf('read_text_file', text)]).toEqual(['write', 'read'])
    expect(text).toContain('amount: 2')
    const { stdout } = spawnSync(process.execPath, [resolve('bin/svc.cjs'), 'validate'], {
      cwd: join(root, 'desk'),
      encoding: 'utf8',
    })
    expect(stdout).not.toContain(' error ')
  })

  it('writes nothing when it is stopped', async () => {
    const root = folder()
    const { says, press, ended } = start(root)
    await says(/Which tools become capabilities\?[^]*Enter: confirm/u)
    press(CTRL_C)
    await says(/Nothing was written\./u)
    await ended
    expect(existsSync(join(root, 'desk'))).toBe(false)
  })
})

it('svc import openapi at a terminal is narrowed by typing, and imports what was chosen', async () => {
  const root = folder()
  const operation = (operationId: string) => ({ get: { operationId, responses: { 200: { description: 'It.' } } } })
  const paths = { '/orders': operation('listOrders'), '/people': operation('listPeople') }
  const description = { openapi: '3.1.0', info: { title: 'Shop', version: '1' }, servers: [{ url: 'https://shop.example' }], paths } // prettier-ignore
  writeFileSync(join(root, 'shop.json'), JSON.stringify(description))
  const { says, press, ended } = atTerminal(root, ['import', 'openapi', 'shop.json', '--into', 'shop'], CTRL_C)
  await says(/Which operations become capabilities\?/u)
  await says(/listPeople/u)
  press('peop')
  await says(/1 match/u)
  press('\t')
  await says(/◼ listPeople/u)
  press(ENTER)
  await says(/1 of 2 operations imported/u)
  await ended
  const text = fragmentOf(join(root, 'shop'), 'shop')
  expect([text.includes('list_people:'), text.includes('list_orders:')]).toEqual([true, false])
})
