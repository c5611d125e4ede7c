/** Which credential a command sends, and where to: never to another address than the one that was named. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { describedBy } from '../../src/cli/import/read-description.js'
import { fetchedText } from '../../src/cli/import/fetch-text.js'
import { oneAtATime } from '../../src/cli/shared/locks/one-at-a-time.js'
import { printable } from '../../src/cli/shared/output/printable.js'
import { printedData, serviceAt } from '../../src/cli/service/connection.js'
import { credentialFor } from '../../src/cli/service/credential.js'
import { openEvents } from '../../src/cli/service/event-stream.js'
import { serviceAnswer } from '../../src/cli/service/operator-request.js'
import { readFromService } from '../../src/cli/service/read-from-service.js'
import { askedToken } from '../../src/cli/token/run.js'

const folder = mkdtempSync(join(tmpdir(), 'svc-credentials-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const path = (name: string) => join(folder, name)

beforeEach(() => {
  vi.stubEnv('XDG_CONFIG_HOME', path('none'))
  vi.stubEnv('SVC_TOKEN_FILE', '')
  vi.stubEnv('SVC_TOKEN', '')
})
afterEach(() => vi.unstubAllEnvs())

async function listening(respond: (request: IncomingMessage, response: ServerResponse) => unknown) {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`)
    respond(request, response)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => (server.closeAllConnections(), void server.close()))
  return { asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

describe('the credential of a command', () => {
  it('is that of the file, else that of the variable, else that of the login', async () => {
    writeFileSync(path('token'), ' of-the-file\n')
    await expect(credentialFor('https://svc.example')).rejects.toThrow('There is no credential.')
    vi.stubEnv('SVC_TOKEN', 'of-the-variable')
    expect(await credentialFor('https://svc.example')).toBe('of-the-variable')
    vi.stubEnv('SVC_TOKEN_FILE', path('token'))
    expect(await credentialFor('https://svc.example')).toBe('of-the-file')
  })

  it('is none where its file cannot be read: no other one takes its place', async () => {
    vi.stubEnv('SVC_TOKEN', 'of-the-variable')
    vi.stubEnv('SVC_TOKEN_FILE', path('absent'))
    await expect(credentialFor('https://svc.example')).rejects.toThrow(`The credential in ${path('absent')} cannot be`)
  })

  it('is in no address, and crosses no network in the clear', () => {
    expect(() => serviceAt({ url: 'https://:secret@svc.example' })).toThrow('The address of the service holds a password')
    expect(() => serviceAt({ url: 'http://svc.example' })).toThrow('would send the credential in the clear')
    expect(() => serviceAt({ url: 'https://svc.example' })).not.toThrow()
  }) // prettier-ignore

  it('follows no redirect', async () => {
    const other = await listening((_, response) => response.end('{}'))
    const { url, asked } = await listening((_, response) => response.writeHead(307, { location: other.url }).end())
    vi.stubEnv('SVC_TOKEN', 'secret')
    const options = { url }
    for (const ask of [
      () => serviceAnswer(options, { operation: 'operator_tokens' }),
      () => serviceAnswer(options, { operation: 'operator_revoke', body: {} }),
      () => readFromService(options, '/.well-known/svc'),
      () => openEvents(options, { operation: 'audit_stream', query: {}, lastEventId: undefined }),
    ])
      await expect(ask()).rejects.toThrow('The service gave no answer')
    expect(asked.map((each) => each.endsWith('Bearer secret'))).toEqual([true, true, false, true])
    expect(other.asked).toEqual([])
  })
})

it('a document that is for callers with a credential is read with it, once it was refused without', async () => {
  const { url, asked } = await listening(({ headers }, response) =>
    response.writeHead(headers.authorization === undefined ? 401 : 200).end('{"manifest_metadata":{}}'),
  )
  await expect(readFromService({ url }, '/svc/manifest')).rejects.toThrow('There is no credential.')
  vi.stubEnv('SVC_TOKEN', 'secret')
  expect(await readFromService({ url }, '/svc/manifest')).toEqual({ manifest_metadata: {} })
  expect(asked.slice(1)).toEqual(['GET /svc/manifest ', 'GET /svc/manifest Bearer secret'])
  vi.stubEnv('SVC_TOKEN', 'secr\u00E9t')
  await expect(readFromService({ url }, '/svc/manifest')).rejects.toThrow('that a header cannot carry')
})

describe('a token that is asked for', () => {
  it('is as narrow as the options say', () => {
    const options = { scope: ['a'], subject: 'agent:desk', budget: '12.5:EUR', cumulative: true, capability: 'pay', task: 't', session: 's', ttlHours: '0.5' } // prettier-ignore
    expect(askedToken(options)).toEqual({
      scope: ['a'],
      subject: 'agent:desk',
      budget: { currency: 'EUR', max_amount: 12.5, mode: 'cumulative' },
      capability: 'pay',
      purpose_parameters: { task_id: 't' },
      session_id: 's',
      ttl_hours: 0.5,
    })
    expect(askedToken({ scope: ['a'], budget: '5:EUR', cumulative: false })).toEqual({ scope: ['a'], budget: { currency: 'EUR', max_amount: 5 } }) // prettier-ignore
  })

  it.each([
    [{ budget: '5' }, '--budget takes'],
    [{ budget: '-5:EUR' }, '--budget takes'],
    [{ budget: '5:eur' }, '--budget takes'],
    [{ budget: '1e3:EUR' }, '--budget takes'],
    [{ ttlHours: '0' }, '--ttl-hours takes'],
    [{ ttlHours: '-1' }, '--ttl-hours takes'],
    [{ ttlHours: '1h' }, '--ttl-hours takes'],
    [{ subject: 'desk' }, '--subject takes'],
  ])('is refused with %j', (options, message) => {
    expect(() => askedToken({ scope: ['a'], cumulative: false, ...options })).toThrow(message)
  })
})

describe('a document that is imported', () => {
  it.each([
    ['http://shop.example/api.json', 'is read over https only'],
    ['http://127.0.0.1.shop.example/', 'is read over https only'],
    ['http://localhost.shop.example/', 'is read over https only'],
    ['https://me@shop.example/', 'The address holds a credential'],
    ['https://:secret@shop.example/', 'The address holds a credential'],
    ['shop', 'is not an address'],
  ])('is not read from %s', (address, message) => expect(fetchedText(address)).rejects.toThrow(message))

  it('is read without a redirect, and up to 32 MiB', async () => {
    const part = ' '.repeat(1024 * 1024)
    const { url, asked } = await listening((request, response) => {
      if (request.url === '/there') return response.writeHead(302, { location: '/here' }).end()
      if (request.url === '/none') return response.writeHead(404).end('{}')
      for (let count = 0; count < (request.url === '/long' ? 33 : 1); count++) response.write(part)
      return response.end()
    })
    expect(await fetchedText(`${url}/here`)).toBe(part)
    await expect(fetchedText(`${url}/there`)).rejects.toThrow('/there answered 302, not with a document.')
    await expect(fetchedText(`${url}/none`)).rejects.toThrow('/none answered 404, not with a document.')
    await expect(fetchedText(`${url}/long`)).rejects.toThrow('answered more than 32 MiB.')
    expect(asked).toHaveLength(4)
  })

  it('N21 follows no link into a folder whose name only begins as its own', async () => {
    mkdirSync(path('api'))
    mkdirSync(path('api-other'))
    writeFileSync(path('api-other/secret.json'), '{"type":"string"}')
    symlinkSync('../api-other/secret.json', path('api/link.json'))
    writeFileSync(path('api/openapi.json'), '{"openapi":"3.0.0","paths":{}}')
    const reading = await describedBy(path('api/openapi.json'))
    const wanting = reading.whole(async ({ documents, wanted }) => {
      if (!documents.has('link.json')) wanted.add('link.json')
      return async () => 'read'
    })
    await expect(wanting).rejects.toThrow('link.json is a link that leaves the folder of the description.')
  })
})

describe('work that is done by one at a time', () => {
  const work = async () => 'done'

  it('leaves no lock, whether it succeeds or fails', async () => {
    const lock = path('lock')
    expect(await oneAtATime(lock, 'Busy.', async () => readFileSync(lock, 'utf8').split(' ')[0])).toBe(`${process.pid}`)
    await expect(oneAtATime(lock, 'Busy.', () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
    expect(() => readFileSync(lock)).toThrow('ENOENT')
  })

  it('takes no lock of another away, which has taken over meanwhile', async () => {
    const lock = path('taken')
    await oneAtATime(lock, 'Busy.', async () => writeFileSync(lock, '1 elsewhere 1'))
    expect(readFileSync(lock, 'utf8')).toBe('1 elsewhere 1')
  })

  it('has a file for its lock, and nothing that a link leads to', async () => {
    mkdirSync(path('folder'))
    writeFileSync(path('mine'), '')
    symlinkSync(path('mine'), path('link'))
    for (const name of ['folder', 'link'])
      await expect(oneAtATime(path(name), 'Busy.', work)).rejects.toThrow(`${path(name)} is not a file.`)
    expect(await oneAtATime(path('none/lock'), 'Busy.', work)).toBe('done')
  })
})

it('what others wrote is printed as text of one line, as data and as words', () => {
  const evil = 'a\u001b[31m\u009b\u202e\u2028\n\u200b\u0000é'
  expect(printable(evil)).toBe('a\\u001b[31m\\u009b\\u202e\\u2028\\u000a\\u200b\\u0000é')
  const printed = printedData({ [evil]: [evil] })
  expect(printed).not.toMatch(/[^\n\P{C}]|[\u2028\u2029]/u)
  expect(JSON.parse(printed)).toEqual({ [evil]: [evil] })
})
