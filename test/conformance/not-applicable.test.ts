/** What does not apply to a service that has little, and why. */
import { expect, it, onTestFinished } from 'vitest'
import { judge } from '../../src/cli/conformance/run.js'
import { NotApplicable } from '../../src/conformance/outcomes.js'
import { connectToService, type ServiceUnderTest } from '../../src/conformance/target.js'
import { serve } from '../../src/runtime/node.js'
import { capability } from '../runtime/fixture/manifest.js'
import { startFixture } from '../runtime/fixture/service.js'

it.each([
  ['one capability that reads', 'one-read', { search: capability() }],
  ['one capability that writes', 'one-write', { buy: capability({ side_effect: { type: 'write', rollback_window: 'PT1H' } }) }],
])('a service of %s', async (_, file, capabilities) => {
  const limits = { badCredentialsPerMinute: 1000 }
  const { service } = await startFixture({ capabilities, clock: Date.now, limits, manifest: { trust: { level: 'signed' } } })
  const running = await serve(service, { port: 0 })
  onTestFinished(() => running.close())
  const verdicts = await judge(await connectToService(`${running.url}//`, { developer: 'ana-key' }))
  const lines = verdicts.flatMap(({ section, title, result, reason }) =>
    result === 'passed' ? [] : [`${result} [${section}] ${title}: ${reason}`],
  )
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot(`not-applicable-${file}.txt`)
}) // prettier-ignore

it('a case that breaks off has failed, whatever it met', async () => {
  const target = { withdraw: async () => undefined } as unknown as ServiceUnderTest
  const broken = (reason: unknown) => ({ section: '4.8', title: 'a case', run: () => Promise.reject(reason) })
  const errors = [new TypeError('no entries'), new DOMException('too late', 'TimeoutError'), new NotApplicable('no budget')]
  expect(await judge(target, errors.map(broken))).toEqual([
    { section: '4.8', title: 'a case', result: 'failed', reason: 'the case broke off: TypeError: no entries' },
    { section: '4.8', title: 'a case', result: 'failed', reason: 'the case broke off: TimeoutError: too late' },
    { section: '4.8', title: 'a case', result: 'not_applicable', reason: 'no budget' },
  ])
}) // prettier-ignore
