/** Pages of approval requests, blocks and events, and what may be asked of them (section 4.7; decisions, section 13). */
import { describe, expect, it } from 'vitest'
import type { ListedEvent } from '../../src/protocol/events.js'
import { webhook } from '../../src/runtime/events/notify.js'
import { capability, input } from './fixture/manifest.js'
import { SECRET } from './fixture/receiver.js'
import { startFixture } from './fixture/service.js'

const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 60, max_uses: 1 } as const // prettier-ignore
const book = capability({ inputs: [input('hotel')], approval: { required: 'always', grant_policy } })

const start = async () => {
  const fixture = await startFixture({ capabilities: { book } })
  const asked = async (token: string, hotel: string) => {
    fixture.time.now += 1000
    const { body } = await fixture.invoke('book', token, { parameters: { hotel } })
    return body['failure']!['approval_request_id'] as unknown as string
  }
  const page = async (path: string, bearer: string) => {
    const { status, body } = await fixture.call('GET', path, { bearer })
    const requests = body['approval_requests'] as unknown as readonly { readonly approval_request_id: string }[] | undefined // prettier-ignore
    return { status, ids: requests?.map((each) => each.approval_request_id), count: body['count'], cursor: body['next_cursor'] } // prettier-ignore
  }
  return { ...fixture, asked, page }
}

describe.each([
  ['of its own, to a requester', '/svc/approval_requests', 'own'],
  ['of everybody, to an operator', '/-/approval_requests', 'op-key'],
])('approval requests %s', (_, path, reader) => {
  it('come once each in pages, and the last page leads nowhere', async () => {
    const { root, asked, page } = await start()
    const { token } = await root()
    const made = [await asked(token, 'a'), await asked(token, 'b'), await asked(token, 'c')]
    const bearer = reader === 'own' ? token : reader
    const first = await page(`${path}?limit=2`, bearer)
    const second = await page(`${path}?limit=2&cursor=${first.cursor}`, bearer)
    expect([first.count, second.count, second.cursor]).toEqual([2, 1, undefined])
    expect([...first.ids!, ...second.ids!].toSorted()).toEqual(made.toSorted())
    expect((await page(`${path}?limit=3`, bearer)).cursor).toBeUndefined()
  })

  it('are those of a state, and of a capability', async () => {
    const { root, asked, page, post } = await start()
    const { token } = await root()
    const [one, two] = [await asked(token, 'a'), await asked(token, 'b')]
    await post(`/svc/approval_requests/${one}/withdraw`, token, {})
    const bearer = reader === 'own' ? token : reader
    expect((await page(`${path}?status=pending`, bearer)).ids).toEqual([two])
    expect((await page(`${path}?status=pending&capability=search`, bearer)).ids).toEqual([])
    expect((await page(`${path}?status=open`, bearer)).status).toBe(400)
    expect((await page(`${path}?limit=0`, bearer)).status).toBe(400)
    expect((await page(`${path}?limit=1001`, bearer)).status).toBe(400)
  })
})

it('a page whose requests the asker may not read leads on to those that it may', async () => {
  const { root, issued, asked, page } = await start()
  const own = await root({ subject: 'agent:a' })
  const other = await root({ subject: 'agent:b' })
  const namesake = await issued(other.token, {
    parent_token: other.token_id,
    subject: 'agent:a',
    scope: ['travel.search'],
  })
  const mine = await asked(own.token, 'a')
  await asked(namesake.token, 'b')
  const first = await page('/svc/approval_requests?limit=1', own.token)
  expect([first.ids, first.count, typeof first.cursor]).toEqual([[], 0, 'string'])
  const second = await page(`/svc/approval_requests?limit=1&cursor=${first.cursor}`, own.token)
  expect([second.ids, second.cursor]).toEqual([[mine], undefined])
})

it('an agent reads what it asked for, its root principal what all its agents did, and a stranger neither', async () => {
  const { root, issued, asked, page } = await start()
  const [one, two] = [await root({ subject: 'agent:a' }), await root({ subject: 'agent:b' })]
  const [of_a, of_b] = [await asked(one.token, 'a'), await asked(two.token, 'b')]
  const own = await root()
  const stranger = await issued('eve-key', { scope: ['travel.search'] })
  const path = '/svc/approval_requests'
  expect((await page(path, one.token)).ids).toEqual([of_a])
  expect((await page(path, own.token)).ids!.toSorted()).toEqual([of_a, of_b].toSorted())
  expect((await page(path, stranger.token)).ids).toEqual([])
  expect((await page(`${path}/${of_a}`, two.token)).status).toBe(404)
  expect((await page(`${path}/${of_a}`, stranger.token)).status).toBe(404)
  expect((await page(`${path}/${of_a}`, own.token)).status).toBe(200)
})

it('a denial is on the trail with its reason, in the name of who denied, and of whom it is about', async () => {
  const { root, asked, issued, post, storage } = await start()
  const id = await asked((await root({ subject: 'agent:a' })).token, 'a')
  const { token } = await issued('bob-key', { scope: ['approver:book'] })
  const denied = await post(`/svc/approval_requests/${id}/deny`, token, { reason: 'Too dear.' })
  expect(denied.body).toMatchObject({ status: 'denied', approver: 'human:bob', reason: 'Too dear.' })
  const [{ text } = { text: null }] = await storage.audit.texts(await storage.audit.size(), 1)
  expect(JSON.parse(text!)).toMatchObject({ entry_type: 'approval_denied', actor_key: 'human:bob', root_principal: 'human:ana', approval_request_id: id, approval: { reason: 'Too dear.' } }) // prettier-ignore
  const again = await post(`/svc/approval_requests/${id}/deny`, token, {})
  expect([again.status, again.body['failure']!['type']]).toEqual([409, 'approval_request_closed'])
})

it('an operator says why, of whom and of what', async () => {
  const { post, call } = await start()
  const op = async (path: string, body: object) => (await post(path, 'op-key', body)).body['failure']?.['detail']
  expect(await op('/-/capabilities/book/pause', {})).toBe('The member reason is required: say why, the trail keeps it.')
  expect(await op('/-/capabilities/book/resume', {})).toBe('The member reason is required: say why, the trail keeps it.') // prettier-ignore
  expect(await op('/-/capabilities/book/resume', { reason: 'r' })).toBe('This capability is not paused.')
  expect(await op('/-/tokens/revoke', { subject: 'x', reason: 'r' })).toBe('The member subject must be a principal, as human:ana@example.com.') // prettier-ignore
  expect(await op('/-/tokens/revoke', { token_id: 'x', reason: 'r' })).toContain('token_id')
  expect(await op('/-/tokens/revoke', { principal: 'human:ana', subject: 'agent:x', reason: 'r' })).toBe('Name exactly one of principal, subject, api_key, capability, token_id.') // prettier-ignore
  expect((await call('GET', '/-/blocks', { bearer: 'op-key' })).body).toEqual({ blocks: [], count: 0 })
})

it('blocks are listed newest first, those that were lifted, too, and so many as are asked for', async () => {
  const { post, call, time } = await start()
  const ids: string[] = []
  for (const subject of ['agent:a', 'agent:b', 'agent:c']) {
    time.now += 1000
    const { body } = await post('/-/tokens/revoke', 'op-key', { subject, reason: 'r' })
    ids.push(body['block']!['block_id'] as unknown as string)
  }
  await post(`/-/blocks/${ids[2]}/lift`, 'op-key', {})
  const { blocks, count } = (await call('GET', '/-/blocks?limit=2', { bearer: 'op-key' })).body
  expect([(blocks as unknown as readonly { readonly block_id: string }[]).map(({ block_id }) => block_id), count, blocks![0]!['lifted_by']]).toEqual([[ids[2], ids[1]], 2, 'human:op']) // prettier-ignore
})

it('events come once each in pages, newest first, and the last page leads nowhere', async () => {
  const target = webhook({ name: 'ops', url: 'https://ops.example/hook', secret: SECRET })
  const { post, call, time } = await startFixture({ notify: [target] })
  for (const subject of ['agent:a', 'agent:b', 'agent:c']) {
    await post('/svc/tokens', 'ana-key', { scope: ['travel.search'], subject })
    time.now += 1000
    await post('/-/tokens/revoke', 'op-key', { subject, reason: 'r' })
  }
  const page = async (query: string) => {
    const { events, next_cursor } = (await call('GET', `/-/events?${query}`, { bearer: 'op-key' })).body
    return { ids: (events as unknown as readonly ListedEvent[]).map(({ event_id }) => event_id), next_cursor }
  }
  const whole = await page('limit=3')
  expect([new Set(whole.ids).size, whole.next_cursor]).toEqual([3, undefined])
  const first = await page('limit=2')
  const second = await page(`limit=2&cursor=${first.next_cursor}`)
  expect([...first.ids, ...second.ids, second.next_cursor]).toEqual([...whole.ids, undefined])
  expect((await call('GET', '/-/events?cursor=x', { bearer: 'op-key' })).status).toBe(400)
})
