import { beforeEach, expect, it, vi } from 'vitest'
import { askAuthor } from '../../src/cli/init/ask.js'

const { asked, ask } = vi.hoisted(() => {
  const asked: string[] = []
  const ask =
    (answer: unknown) =>
    async ({ message }: { readonly message: string }) => (asked.push(message), answer)
  return { asked, ask }
})

vi.mock('@clack/prompts', () => ({
  intro: () => undefined,
  isCancel: () => false,
  text: ask('shop'),
  confirm: ask(true),
  select: ask('minimal'),
}))
beforeEach(() => void asked.splice(0))

const SAID = { name: 'shop', template: 'minimal', storage: 'sqlite', tests: false } as const

it('asks whether agents reach the service by MCP, unless that was said', async () => {
  const { signIn } = await askAuthor('shop', { ...SAID, signIn: 'api-keys', mcp: false } as never)
  expect([asked, signIn]).toEqual([[], 'api-keys'])
  const { mcp } = await askAuthor('shop', { ...SAID, signIn: 'api-keys' } as never)
  expect([asked, mcp]).toEqual([['Can agents reach it by MCP?'], true])
})
