import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { capability, input } from '../fixture/manifest.js'
import { startFixture, type Fixture } from '../fixture/service.js'
import { folder, forSet } from '../../vectors-suite/vectors.js'

const filesIn = (name: string) => readdirSync(join(folder, name)).filter((file) => file.endsWith('.json'))
const bytesOf = (name: string, file: string) => new Uint8Array(readFileSync(join(folder, name, file)))

const capabilities = {
  echo: capability({
    inputs: [input('text')],
    output: { type: 'echo', fields: [{ name: 'text', type: 'string' }] },
    observability: { fields_logged: ['text'] },
  }),
}
const handlers = { echo: (given: object) => given }
const start = () => startFixture({ capabilities, handlers })

const send = async ({ root, call }: Fixture, text: Uint8Array) =>
  call('POST', '/svc/invoke/echo', { bearer: (await root()).token, text })

const UNACCEPTABLE = /^The request body is not acceptable JSON/u

forSet('json-test-suite-nst', ['test_parsing', 'test_transform'], () => {
  it.each(filesIn('json-test-suite-nst/test_parsing'))('%s', async (file) => {
    const reply = await send(await start(), bytesOf('json-test-suite-nst/test_parsing', file))
    const detail = String(reply.body['failure']?.['detail'])
    expect(reply.status).toBe(400)
    if (file.startsWith('y_') && !/duplicated_key|null_escape/u.test(file)) expect(detail).not.toMatch(UNACCEPTABLE)
    if (file.startsWith('n_') && file !== 'n_structure_no_data.json') expect(detail).toMatch(UNACCEPTABLE)
  })

  it.each(filesIn('json-test-suite-nst/test_transform'))('%s is refused, or never a fault', async (file) => {
    expect((await send(await start(), bytesOf('json-test-suite-nst/test_transform', file))).status).toBe(400)
  })
})

forSet('naughty-strings', ['blns.json'], () => {
  const strings = JSON.parse(readFileSync(join(folder, 'naughty-strings/blns.json'), 'utf8')) as readonly string[]

  it('come back and are kept byte for byte, through every input', async () => {
    const { root, invoke, trail } = await start()
    const { token } = await root()
    for (const text of strings) {
      const reference = text.length > 0 && text.length <= 256 ? { client_reference_id: text } : {}
      const reply = await invoke('echo', token, { parameters: { text }, ...reference })
      expect([reply.status, reply.body['result']]).toEqual([200, { text }])
      const [entry] = await trail(token, '?limit=1')
      expect([entry?.['parameters'], entry?.['client_reference_id']]).toEqual([
        { text },
        reference.client_reference_id ?? null,
      ])
    }
  })

  it('find nothing in filters, paths and ids, and never a fault', async () => {
    const { root, call, post } = await start()
    const { token } = await root()
    for (const text of strings) {
      const encoded = encodeURIComponent(text)
      const replies = [
        await post(`/svc/audit?task_id=${encoded}`, token),
        await post(`/svc/invoke/${encoded}`, token, { parameters: {} }),
        await call('GET', `/svc/checkpoints/${encoded}`),
        await call('GET', `/svc/graph/${encoded}`),
        await post('/svc/tokens', 'ana-key', { scope: ['travel.search'], subject: text }),
        await post('/svc/tokens/revoke', 'ana-key', { token_id: text }),
      ]
      expect(replies.filter(({ status }) => status >= 500)).toEqual([])
    }
  })
})
