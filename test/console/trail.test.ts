import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { csvLine } from '../../src/console/api/trail-csv.js'
import { readPage } from '../../src/console/api/trail.js'
import { exported } from '../../src/console/api/trail-export.js'
import type { AnsweredEntry } from '../../src/protocol/audit.js'
import { API_KEYS, type Reading } from '../runtime/fixture/service.js'
import { startWorld, type World } from './world.js'

const AUDITOR = { ...API_KEYS[3]!, id: 'aud', principal: 'human:aud', roles: ['auditor'], sha256: createHash('sha256').update('aud-key').digest('hex') } // prettier-ignore
const given = { options: { development: true }, given: { apiKeys: [...API_KEYS, AUDITOR] as never } }

/** ana's agent searches; eve has her own. */
async function calledBy({ fixture }: World, key: 'ana-key' | 'eve-key') {
  const { token } = await fixture.issued(key, { scope: ['travel.search'], subject: 'agent:desk' })
  return (await fixture.invoke('search', token)).body['invocation_id'] as unknown as string
}

const signedIn = async (world: World, key: string) => {
  const browser = world.browser()
  await browser.byKey(key)
  return browser
}

const entriesIn = (body: Reading) => body['entries'] as unknown as readonly AnsweredEntry[]

/** Follows the stream as a person, until as many entries have come. */
async function follow(
  world: World,
  browser: Awaited<ReturnType<typeof signedIn>>,
  path = '/-/console/api/trail/stream',
  headers: { readonly [name: string]: string } = {},
) {
  const cookie = [...browser.jar].map(([name, value]) => `${name.split(' ')[1]}=${value}`).join('; ')
  const abort = new AbortController()
  const response = await fetch(world.url + path, { headers: { cookie, ...headers }, signal: abort.signal })
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  const until = async (holds: (text: string) => boolean) => {
    while (!holds(text)) {
      const { value, done } = await reader.read()
      if (done) break
      text += value
    }
    return text
  }
  await until((seen) => seen.includes('event: from'))
  return { response, until, leave: () => abort.abort() }
}

describe('the trail in the console', () => {
  it('is everybody’s for an auditor, and one’s own for everybody else', async () => {
    const world = await startWorld(given)
    await calledBy(world, 'ana-key')
    const ofEve = await calledBy(world, 'eve-key')
    const path = '/-/console/api/trail'
    const auditor = await signedIn(world, 'aud-key')
    const all = entriesIn((await auditor.get(path)).body)
    expect(new Set(all.map(({ root_principal }) => root_principal))).toEqual(new Set(['human:ana', 'human:eve']))
    expect(entriesIn((await auditor.get(`${path}?actor=agent%3Adesk&entry_type=invocation`)).body)).toHaveLength(2)
    const ana = await signedIn(world, 'ana-key')
    const own = entriesIn((await ana.get(path)).body)
    expect(new Set(own.map(({ root_principal }) => root_principal))).toEqual(new Set(['human:ana']))
    expect(entriesIn((await ana.get(`${path}?invocation_id=${ofEve}`)).body)).toEqual([])
    expect((await ana.get(`${path}?principal=human%3Aeve`)).status).toBe(400)
    expect((await world.browser().get(path)).status).toBe(401)
  })

  it('comes as a stream, from where a page was, and only what the person may read', async () => {
    const world = await startWorld(given)
    const ana = await follow(world, await signedIn(world, 'ana-key'))
    expect(['content-type', 'cache-control', 'x-content-type-options'].map((name) => ana.response.headers.get(name))).toEqual(['text/event-stream', 'no-store', 'nosniff']) // prettier-ignore
    const auditor = await follow(world, await signedIn(world, 'aud-key'))
    await calledBy(world, 'eve-key')
    const mine = await calledBy(world, 'ana-key')
    const seen = await ana.until((text) => text.includes(mine))
    expect(seen).not.toContain('human:eve')
    expect(await auditor.until((text) => text.includes(mine))).toContain('human:eve')
    const last = /id: (\d+)\nevent: entry\n/u.exec(seen)![1]
    const again = await follow(world, await signedIn(world, 'ana-key'), `/-/console/api/trail/stream?after=${last}`)
    expect(await again.until((text) => text.includes(mine))).not.toContain('token_issued')
    const resumed = await follow(world, await signedIn(world, 'ana-key'), '/-/console/api/trail/stream?after=0', {
      'last-event-id': last!,
    })
    expect(await resumed.until((text) => text.includes(mine))).not.toContain('token_issued')
    for (const each of [ana, auditor, again, resumed]) each.leave()
    await expect.poll(() => world.fixture.service.places.size).toBe(0)
  })

  it('ends the stream of somebody who is no longer signed in', async () => {
    const world = await startWorld(given)
    const browser = await signedIn(world, 'aud-key')
    const stream = await follow(world, browser)
    await browser.post('/-/console/api/sign-out')
    await stream.until(() => false)
    await expect.poll(() => world.fixture.service.places.size).toBe(0)
  })

  it('has no further page for a file of somebody who has signed out since', async () => {
    const { fixture, url } = await startWorld(given)
    const visit = {
      setting: { service: fixture.service, origin: () => url, base: '' },
      request: { header: () => null },
      person: { known: { principal: 'human:aud', roles: ['auditor'] } },
    }
    await expect(readPage(visit as never, new URLSearchParams())).rejects.toThrow('Your session has ended.')
  })

  it('is exported as NDJSON and as CSV, as far as the person may read it', async () => {
    const world = await startWorld(given)
    await calledBy(world, 'eve-key')
    const mine = await calledBy(world, 'ana-key')
    const ana = await signedIn(world, 'ana-key')
    const ndjson = await ana.get('/-/console/api/trail/export?format=ndjson')
    expect(ndjson.headers.get('content-disposition')).toBe('attachment; filename="trail.ndjson"')
    const lines = ndjson.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as AnsweredEntry)
    expect(lines.map(({ root_principal }) => root_principal)).toEqual(['human:ana', 'human:ana'])
    expect(lines[0]!.invocation_id).toBe(mine)
    const csv = await ana.get('/-/console/api/trail/export?format=csv&success=true')
    expect(csv.text.split('\r\n')).toHaveLength(4)
    expect(csv.text).toMatch(/^sequence,timestamp,entry_type,/u)
    const { token } = await world.fixture.root({ subject: 'agent:desk' })
    await world.fixture.invoke('search', token, { parameters: { what: 1 } })
    await world.fixture.invoke('book', token, { parameters: { hotel: 'Aurora' } })
    const typesOf = async (outcome: string): Promise<readonly (string | null)[]> => {
      const { text } = await ana.get(`/-/console/api/trail/export?format=ndjson&outcome=${outcome}`)
      return text.split('\n').flatMap((line) => (line === '' ? [] : [(JSON.parse(line) as AnsweredEntry).failure_type]))
    }
    expect(await typesOf('refused')).toEqual(['invalid_parameters'])
    expect(await typesOf('waiting')).toEqual(expect.arrayContaining(['approval_required']))
    expect(await typesOf('failed')).toEqual([])
    expect((await ana.get('/-/console/api/trail/export?format=csv&outcome=lost')).status).toBe(400)
    expect((await ana.get('/-/console/api/trail/export?format=xlsx')).status).toBe(400)
    expect((await ana.get('/-/console/api/trail/export?format=csv&since=yesterday')).status).toBe(400)
    expect((await world.browser().get('/-/console/api/trail/export?format=csv')).status).toBe(401)
  })
})

it('a file of the trail has every page, under the filters of the question, from the start', async () => {
  const entry = (sequence: number, failure_type: string | null) =>
    ({ sequence, entry_type: 'invocation', success: failure_type === null, failure_type }) as AnsweredEntry
  const pages = [
    { entries: [entry(4, 'rate_limited'), entry(3, null)], next_cursor: 'more' },
    { entries: [entry(2, 'rate_limited'), entry(1, 'outcome_unknown')] },
  ]
  const exportedBy = async (query: string) => {
    const asked: string[] = []
    const read = async (of: URLSearchParams) => pages[asked.push(of.toString()) - 1]!
    const { body } = await exported({ query: new URLSearchParams(query) } as never, read)
    return [asked, (await new Response(body as BodyInit).text()).split('\n').map((line) => /\d/u.exec(line)?.[0])]
  }
  expect(await exportedBy('format=ndjson&capability=search&cursor=c&limit=1')).toEqual([
    ['capability=search&limit=1000', 'capability=search&limit=1000&cursor=more'],
    ['4', '3', '2', '1', undefined],
  ])
  expect((await exportedBy('format=ndjson&outcome=refused'))[1]).toEqual(['4', '2', undefined])
  expect((await exportedBy('format=ndjson&outcome=failed'))[1]).toEqual(['1', undefined])
})

it('N17 a file of the trail is saved, not shown', async () => {
  const read = async () => ({ entries: [] })
  const { headers } = await exported({ query: new URLSearchParams('format=csv') } as never, read)
  expect(headers).toEqual([
    'content-type', 'text/csv; charset=utf-8', 'content-disposition', 'attachment; filename="trail.csv"',
    'cache-control', 'no-store', 'x-content-type-options', 'nosniff',
  ]) // prettier-ignore
})

it.each([
  ['=HYPERLINK("http://x";"y")', `"'=HYPERLINK(""http://x"";""y"")"`],
  ['+1', `"'+1"`],
  ['-1', `"'-1"`],
  ['@SUM(A1)', `"'@SUM(A1)"`],
  ['\t=1', `"'\t=1"`],
  ['  =1', `"'  =1"`],
  ['|cmd', `"'|cmd"`],
  ['%0A=1', `"'%0A=1"`],
  ['\r=1', `"'\r=1"`],
  ['\n=1', `"'\n=1"`],
  ['a;b', '"a;b"'],
  ["'=1", `"'=1"`],
  ['two\nlines, "said"', `"two\nlines, ""said"""`],
  ['plain', 'plain'],
])('N17 a table program takes %j for text', (task_id, cell) => {
  const entry = { sequence: 7, task_id, parameters: {} } as unknown as AnsweredEntry
  expect(csvLine(entry)).toBe(`7,,,,,,,,${cell},,,,,,,,,,{}\r\n`)
})
