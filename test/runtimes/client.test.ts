import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { start, type Example } from '../../examples/start.js'
import { openPage } from './chromium.js'
import { hostPage } from './page-host.js'
import { RUNTIMES } from './programs.js'

/** What every runtime must see; see scenarios.js. */
const SEEN = {
  travel: {
    manifest: 'travel',
    'manifest, another key pinned': 'TransportError',
    'over budget': 'budget_exceeded',
    'a failure of the business': 'booking_unknown',
    'waited for approval': 'SK 210',
    'resumed from JSON, twice': 'SK 210',
    permissions: [],
    trail: 1,
    aborted: 'AbortError',
    unreachable: 'TransportError',
  },
  pipeline: { pages: [1, 2, 3], outcome: 3 },
} as const

describe.each(['travel', 'pipeline'] as const)('the client of examples/%s', (scenario) => {
  let example: Example
  beforeAll(async () => void (example = await start(scenario)))
  afterAll(() => example.stop())

  const jobOf = ({ folder, url, credentials }: Example): string =>
    JSON.stringify({
      scenario,
      module: pathToFileURL(join(folder, 'dist/client/index.js')).href,
      baseUrl: url,
      credentials,
    })

  it.each(Object.entries(RUNTIMES))('works in %s and in a worker of it', async (_, [program, ...options]) => {
    const script = join(import.meta.dirname, 'process.js')
    const running = spawn(program, [...options, script, jobOf(example)], { stdio: ['ignore', 'pipe', 'pipe'] })
    const output: Buffer[] = []
    for (const stream of [running.stdout, running.stderr]) stream.on('data', (data: Buffer) => output.push(data))
    const [code] = (await once(running, 'close')) as [number]
    expect([code, Buffer.concat(output).toString()]).toEqual([0, expect.stringContaining('{"main"')])
    expect(JSON.parse(Buffer.concat(output).toString())).toEqual({ main: SEEN[scenario], worker: SEEN[scenario] })
  })

  it('works in a page of a headless Chromium and in a worker of it', async () => {
    const host = await hostPage(scenario, example)
    const page = await openPage(host.url)
    const report = await Promise.race([host.report, page.ended])
    await page.close()
    host.close()
    expect(report).toEqual({
      agent: expect.stringContaining('Chrome/'),
      main: SEEN[scenario],
      worker: SEEN[scenario],
    })
  })
})
