/** The Inspector's command line, which judges MCP servers (S1, S10, S15), in Node 22. */
import { describe, expect, it } from 'vitest'
import { fileOfJudge, runJudge } from './judge.js'
import { startWorld, type World } from './mcp-world.js'

const INSPECTOR = fileOfJudge('@modelcontextprotocol/inspector/clients/launcher/build/index.js')

const inspect = ({ url }: World, token: string, ...words: readonly string[]) =>
  runJudge(INSPECTOR, '--cli', `${url}/mcp`, '--transport', 'http', '--header', `Authorization: Bearer ${token}`, '--format', 'json', ...words) // prettier-ignore

describe('the Inspector', () => {
  it('S15 lists the tools, whose schemas have no portability problem', async () => {
    const world = await startWorld()
    const { code, stdout, stderr } = await inspect(world, world.token, '--method', 'tools/list', '--strict')
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    expect(stdout).toContain('"trip__book"')
    expect(stdout).not.toContain('secret')
  })

  it('S1 calls a tool, and shows a refusal as a tool error with its type', async () => {
    const world = await startWorld()
    const call = (...words: readonly string[]) => inspect(world, world.token, '--method', 'tools/call', '--tool-name', ...words) // prettier-ignore
    const found = await call('search', '--tool-arg', 'city=Faro')
    expect([found.code, found.stdout.includes('Hotels in Faro')]).toEqual([0, true])
    const asked = await call('trip__book', '--tool-arg', 'hotel=Sol')
    expect([asked.code, asked.stdout.includes('approval_required')]).toEqual([5, true])
    expect(world.effects).toEqual([])
  })

  it('S10 ends with the code of a missing credential for what is no token, an API key and a token that has expired', async () => {
    let ms = 0
    const world = await startWorld({ clock: () => Date.now() + ms })
    ms = 25 * 3600 * 1000
    for (const bearer of ['no-token', 'ana-key', world.token])
      expect((await inspect(world, bearer, '--method', 'tools/list')).code).toBe(3)
  }) // prettier-ignore
})
