import fc from 'fast-check'
import type { HandlerContext } from '../../src/runtime/index.js'
import { describe, it } from 'vitest'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'
import { capability, declares } from './fixture/manifest.js'
import { startFixture } from './fixture/service.js'

const RUNS = Number(process.env['MODELS'] ?? 150)
const policy = {
  allowed_grant_types: ['one_time', 'session_bound'],
  default_grant_type: 'session_bound',
  expires_in_seconds: 600,
  max_uses: 3,
} as const

/** What somebody may do to one approval request, in any order and with any delay. */
const step = fc.oneof(
  fc.record({ does: fc.constant('grant' as const), uses: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ does: fc.constant('deny' as const) }),
  fc.record({ does: fc.constant('continue' as const), times: fc.integer({ min: 1, max: 3 }) }),
  fc.record({ does: fc.constant('wait' as const), seconds: fc.constantFrom(1, 300, 601, 3600) }),
)

interface Model {
  state: 'pending' | 'approved' | 'denied'
  requestEnds: number
  grantEnds: number
  usesLeft: number
  effects: number
}

describe('an approval request and its grant', () => {
  it('behave as their model, whatever is done in whatever order', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 10 }), async (steps) => {
        let effects = 0
        const { root, invoke, post, time } = await startFixture({
          capabilities: { book: capability({ approval: { required: 'always', grant_policy: policy } }) },
          handlers: { book: () => ((effects += 1), {}) },
          manifest: {
            approvals: { request_ttl: 'PT30M', denial_holds: 'PT10M', allow_agents: false, separation_of_duties: true },
            limits: { max_delegation_depth: 3, default_ttl_hours: 24, max_ttl_hours: 24 },
          },
        })
        const { token } = await root({ subject: 'agent:a', session_id: 's' })
        const id = (await invoke('book', token)).body['failure']?.['approval_request_id']
        const model: Model = {
          state: 'pending',
          requestEnds: time.now + 1800_000,
          grantEnds: 0,
          usesLeft: 0,
          effects: 0,
        }
        let grantId: unknown
        const expectStatus = (actual: number, expected: number, what: string) => {
          if (actual !== expected)
            throw new Error(`${what} gave ${actual}, the model says ${expected}: ${JSON.stringify(model)}`)
        }
        const isOpen = () => model.state === 'pending' && time.now < model.requestEnds
        const mayContinue = () => model.state === 'approved' && time.now < model.grantEnds && model.usesLeft > 0
        for (const each of steps) {
          if (each.does === 'wait') time.now += each.seconds * 1000
          if (each.does === 'deny') {
            const open = isOpen()
            expectStatus(
              (await post(`/svc/approval_requests/${String(id)}/deny`, 'bob-key', {})).status,
              open ? 200 : 409,
              'deny',
            )
            if (open) model.state = 'denied'
          }
          if (each.does === 'grant') {
            const open = isOpen()
            const body = { approval_request_id: id, grant_type: 'session_bound', session_id: 's', max_uses: each.uses }
            const reply = await post('/svc/approval_grants', 'bob-key', body)
            expectStatus(reply.status, open ? 200 : 409, 'grant')
            if (open) Object.assign(model, { state: 'approved', grantEnds: time.now + 600_000, usesLeft: each.uses })
            if (open) grantId = reply.body['grant_id']
          }
          if (each.does === 'continue' && grantId !== undefined) {
            const expected = mayContinue() ? Math.min(each.times, model.usesLeft) : 0
            const replies = await Promise.all(
              Array.from({ length: each.times }, () =>
                invoke('book', token, { parameters: {}, approval_grant: grantId }),
              ),
            )
            expectStatus(replies.filter(({ status }) => status === 200).length, expected, 'continuations')
            model.usesLeft -= expected
            model.effects += expected
          }
          if (effects !== model.effects) throw new Error(`${effects} effects, the model says ${model.effects}`)
        }
      }),
      { numRuns: RUNS },
    )
  }, 120_000)
})

describe('the ledger', () => {
  /** A refusal gives back what it reserved; what breaks after it has begun may have spent it. */
  const STATUS = { well: 200, refused: 422, broken: 500 }
  const call = fc.record({
    token: fc.constantFrom('root', 'left', 'right'),
    amount: fc.integer({ min: 1, max: 60 }),
    ends: fc.constantFrom('well', 'refused', 'broken'),
  })

  it('never lets more be spent under any ceiling than it says, and knows what was spent', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(call, { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 20, max: 100 }),
        async (calls, ceiling) => {
          const storage = await openSqlite({ file: ':memory:' })
          const pay = capability({
            side_effect: { type: 'write' },
            cost: { certainty: 'estimated', financial: { currency: 'EUR' } },
            inputs: [
              { name: 'quote', type: 'string', required: true },
              { name: 'ends', type: 'string', required: true },
            ],
            requires_binding: [{ type: 'quote', field: 'quote' }],
            ...declares('sold_out'),
          })
          const { root, issued, invoke, storage: own } = await startFixture({
          storage,
          clock: Date.now,
          capabilities: { pay },
          handlers: { pay: ({ ends }: { ends: string }, ctx: HandlerContext) => { if (ends === 'refused') ctx.fail('sold_out', 'No.'); if (ends === 'broken') throw new Error('no'); return {} } },
        }) // prettier-ignore
          const budget = (max_amount: number) => ({ budget: { currency: 'EUR', max_amount, mode: 'cumulative' } })
          const tokens = { root: await root({ subject: 'agent:a', ...budget(100) }) } as Record<
            'root' | 'left' | 'right',
            Awaited<ReturnType<typeof root>>
          >
          for (const name of ['left', 'right'] as const)
            tokens[name] = await issued(tokens.root.token, {
              scope: ['travel.search'],
              subject: 'agent:b',
              parent_token: tokens.root.token_id,
              ...budget(ceiling),
            })
          const ceilings = { root: 100, left: ceiling, right: ceiling }
          const spent = { root: 0, left: 0, right: 0 }
          for (const { token, amount, ends } of calls) {
            const quote = `bnd_${Math.abs(amount)}_${spent.root}_${ends}_${calls.indexOf(calls.find((each) => each.amount === amount)!)}`
            if ((await own.bindings.get(quote)) === undefined)
              await own.bindings.insert({
                binding_id: quote,
                type: 'quote',
                capability: 'q',
                root_principal: 'human:ana',
                price: { currency: 'EUR', amount },
                issued_at: 0,
              })
            const { status } = await invoke('pay', tokens[token].token, { parameters: { quote, ends } })
            const fits =
              spent.root + amount <= ceilings.root && (token === 'root' || spent[token] + amount <= ceilings[token])
            const expected = fits ? STATUS[ends] : 403
            if (status !== expected)
              throw new Error(`${token} ${amount} gave ${status}, expected ${expected}: ${JSON.stringify(spent)}`)
            const isSpent = status === 200 || status === 500
            if (isSpent) spent.root += amount
            if (isSpent && token !== 'root') spent[token] += amount
            for (const name of ['root', 'left', 'right'] as const) {
              const known = await storage.ledger.spent(tokens[name].token_id)
              if (known !== BigInt(spent[name] * 100))
                throw new Error(`the ledger says ${known} under ${name}, the model ${spent[name]}`)
            }
          }
        },
      ),
      { numRuns: RUNS },
    )
  }, 120_000)
})

describe('a lease', () => {
  const owner = fc.constantFrom('one', 'two', 'three')
  const act = fc.oneof(
    fc.record({ does: fc.constantFrom('acquire', 'renew', 'release'), owner, key: fc.constantFrom('a', 'b'), ms: fc.constantFrom(10, 100) }),
    fc.record({ does: fc.constant('wait'), ms: fc.constantFrom(1, 9, 10, 99, 100) }),
  ) // prettier-ignore

  it('has one holder at a time, until it is given up or lapses', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(act, { minLength: 1, maxLength: 40 }), async (acts) => {
        const time = { now: 1_000_000 }
        const storage = await openSqlite({ file: ':memory:', clock: () => time.now })
        const held = new Map<string, { readonly by: string; readonly until: number }>()
        for (const each of acts) {
          if (!('owner' in each)) {
            time.now += each.ms
            continue
          }
          const { key, does, ms } = each
          const holder = held.get(key)
          const isHeld = holder !== undefined && holder.until > time.now
          const isOwn = isHeld && holder.by === each.owner
          const got = await storage.leases[does as 'acquire'](key, each.owner, ms)
          const may = does === 'acquire' ? !isHeld : isOwn
          if (does !== 'release' && got !== may)
            throw new Error(`${does} of ${key} by ${each.owner} gave ${got}, the model says ${may}`)
          if (does === 'release' && holder?.by === each.owner) held.delete(key)
          if (does !== 'release' && may) held.set(key, { by: each.owner, until: time.now + ms })
        }
        await storage.close()
      }),
      { numRuns: RUNS },
    )
  }, 120_000)

  it('lets one invocation of an exclusive tree run at a time, whatever is begun and ended in whatever order', async () => {
    const begun = fc.constantFrom('root', 'left', 'right', 'other')
    const ended = fc.record({ end: fc.nat(5) })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(begun, ended), { minLength: 1, maxLength: 14 }), async (steps) => {
        const finish: (() => void)[] = []
        let entered: () => void = () => undefined
        const search = () => new Promise((resolve) => (finish.push(() => resolve({})), entered()))
        const { root, issued, invoke, storage } = await startFixture({ handlers: { search } })
        const whole = await root({ subject: 'agent:a', concurrent_branches: 'exclusive' })
        const below = () => issued(whole.token, { scope: ['travel.search'], subject: 'agent:b', parent_token: whole.token_id })
        const tokens = { root: whole, left: await below(), right: await below(), other: await root() }
        const running: { readonly tree: boolean; readonly answer: Promise<{ readonly status: number }> }[] = []
        for (const step of steps) {
          if (typeof step === 'object') {
            const at = step.end % Math.max(1, running.length)
            finish.splice(at, 1)[0]?.()
            const [over] = running.splice(at, 1)
            if (over !== undefined && (await over.answer).status !== 200) throw new Error('what ran was refused')
            continue
          }
          const tree = step !== 'other'
          const isTaken = tree && running.some((each) => each.tree)
          const started = new Promise<'started'>((resolve) => (entered = () => resolve('started')))
          const answer = invoke('search', tokens[step].token)
          const first = await Promise.race([started, answer])
          if (isTaken !== (first !== 'started')) throw new Error(`${step} ${isTaken ? 'ran beside another' : 'was refused'}`)
          if (first === 'started') running.push({ tree, answer })
        }
        finish.forEach((end) => end())
        await Promise.all(running.map(({ answer }) => answer))
        await storage.close()
      }),
      { numRuns: RUNS },
    )
  }, 120_000)
}) // prettier-ignore
