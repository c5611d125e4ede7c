/** `svc conformance` fails nothing of a service that is right, whatever it has, and whichever key it is given. */
import { afterAll, expect, it } from 'vitest'
import { judge } from '../../src/cli/conformance/run.js'
import { learnFrom } from '../../src/conformance/samples.js'
import { connectToService, type Credentials } from '../../src/conformance/target.js'
import { serve } from '../../src/runtime/node.js'
import { startFixture } from '../runtime/fixture/service.js'
import { keysOf, RIGHT_SERVICES, type RightService } from './right-services.js'

const CREDENTIALS = { developer: 'ana-key', approver: 'bob-key', agent: 'bot-key' }

/** Each takes seconds, until the client lets its connections go: they close together. */
const closings: (() => Promise<void>)[] = []
afterAll(() => Promise.all(closings.map((close) => close())))

/** A service of a kind, and a client for which minutes of waiting pass at once. */
async function connected({ credentials = {}, publicUrl, ...given }: RightService) {
  let ahead = 0
  const clock = () => Date.now() + ahead
  const manifest = {
    trust: { level: 'anchored', anchoring: { cadence: 'hourly' } },
    ...given.manifest,
  } as const
  const { service } = await startFixture({ apiKeys: keysOf(), ...given, manifest, clock })
  const running = await serve(service, { port: 0, publicUrl })
  closings.push(() => running.close())
  const all = { ...CREDENTIALS, ...credentials }
  const those = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined))
  const wait = async (ms: number) => void (ahead += ms)
  return connectToService(running.url, those as unknown as Credentials, { learn: learnFrom, wait })
}

/** A second run meets what the first one left; `FULL=1` runs each twice. */
const isFull = process.env['FULL'] === '1'
const meetsDenials = (kind: string) => isFull || kind.includes('without inputs')

const untried: string[] = []

it.each(Object.entries(RIGHT_SERVICES))(
  '%s',
  async (kind, given) => {
    const target = await connected(given)
    const failed: string[] = []
    const reasons = new Set<string>()
    for (const run of meetsDenials(kind) ? [1, 2] : [1])
      for (const { result, section, title, reason } of await judge(target)) {
        if (result === 'failed') failed.push(`run ${run}: [${section}] ${title}: ${reason}`)
        if (result === 'not_tried' && !title.includes('checkpoint')) reasons.add(`  ${reason!.split('{')[0]}`)
      }
    untried.push(kind, ...[...reasons].filter((each) => !each.includes('checkpoints come')).sort())
    expect(failed).toEqual([])
  },
  300_000,
)

it('says why something cannot be tried with these keys', async () => {
  await expect(`${untried.join('\n')}\n`).toMatchFileSnapshot('right-services.txt')
})
