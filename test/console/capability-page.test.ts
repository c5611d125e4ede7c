import { describe, expect, it, vi } from 'vitest'
import { failure, NOTHING, openPage, type Answers } from './screen.js'

const SCHEMA = {
  type: 'object',
  properties: {
    hotel: { type: 'string', description: 'Which\u202E one.' },
    quote: { type: 'string', maxLength: 201 },
    when: { type: 'string', format: 'date-time' },
    day: { type: 'string', format: 'date' },
    nights: { type: 'integer', default: 2 },
    rate: { type: 'number' },
    card: { enum: ['visa', 7, null] },
    late: { type: 'boolean' },
    free: {},
    guest: { $ref: '#/$defs/guest' },
    tags: { type: 'array', items: { type: 'string' }, description: 'Words.' },
    pay: { oneOf: [{ type: 'object', properties: { kind: { const: 'cash' } }, required: ['kind'] }, { type: 'null' }] },
    none: { type: 'null' },
  },
  required: ['hotel', 'guest', 'none'],
  $defs: { guest: { type: 'object', description: 'Who comes.', properties: { name: { type: 'string' }, age: { type: 'integer' } }, required: ['name'] } },
} // prettier-ignore

const tool = (name: string, more: object = {}) => ({ capability: name, approval: 'sometimes', contract_version: '1.2', minimum_scope: ['hotels.book'], input_schema: SCHEMA, ...more }) // prettier-ignore
const BOOK = {
  description: 'Books a room.\u0007',
  side_effect: { type: 'transactional', rollback_window: 'PT2H', compensation: 'cancel' },
  minimum_scope: ['hotels.book', 'hotels.read'],
  inputs: Object.keys(SCHEMA.properties).map((name) => ({ name })),
  response_modes: ['unary', 'streaming'],
  cost: { certainty: 'estimated', determined_by: 'the hotel', financial: { currency: 'EUR', range_min: 60, range_max: 900, typical: 240 } },
  control_requirements: [{ type: 'cost_ceiling' }],
  approval: { required: 'above', grant_policy: { allowed_grant_types: ['one_time', 'session_bound'], expires_in_seconds: 900, max_uses: 3 } },
  requires_principal: ['human'],
  business_effects: { produces: ['a booking'], does_not_produce: ['an invoice'] },
  observability: { logged: true, fields_logged: ['hotel', 'nights'], retention: 'P2Y' },
  requires: [{ capability: 'search' }],
  requires_binding: [{ field: 'quote', source_capability: 'price' }],
  verify_via: ['look'],
  refresh_via: ['price', 'renew'],
} // prettier-ignore
const PLAIN = { description: 'Looks.', side_effect: { type: 'read' }, minimum_scope: ['a'], inputs: [], response_modes: ['unary'] } // prettier-ignore

function served(capabilities: object, tools: readonly object[]): Answers {
  return {
    'GET /svc/manifest': { service_identity: { id: 'travel' }, capabilities },
    'GET /tools.json': { tools },
    'POST /-/console/api/try/permission': { available: [{ capability: 'book' }], restricted: [], denied: [] },
  }
}
const ALL = served(
  {
    book: BOOK,
    search: PLAIN,
    price: PLAIN,
    cancel: { ...PLAIN, side_effect: { type: 'irreversible' } },
    look: { ...PLAIN, composition: { steps: [{ capability: 'search' }, { capability: 'price' }] } },
    trip: { ...PLAIN, composition: { steps: [{ capability: 'book' }] } },
    pay: { ...PLAIN, requires: [{ capability: 'book' }] },
    hidden: PLAIN,
  },
  [
    tool('book'),
    tool('search', { approval: 'never' }),
    tool('price'),
    tool('cancel', { approval: 'always' }),
    tool('look', { approval: 'never' }),
    tool('trip', { approval: 'never' }),
    tool('pay', { approval: 'never' }),
    tool('toString'),
  ],
)

describe('the catalogue', () => {
  it('has what agents may be allowed to do, and what comes first', async () => {
    const screen = await openPage('/capabilities', ALL)
    expect(screen.lines()).toMatchInlineSnapshot(`
      [
        "7 capabilities",
        "Capabilities that agents may be allowed to call.",
        "Find a capability",
        "{type=search placeholder=Find a capability}",
        "{role=status}",
        "[{href=/-/console/capabilities/book}book]",
        "Books a room.\\u{7}",
        "{data-is=undo}(undo)Can be undone60.00 to 900.00 EUR, typically 240.00person may have to approve",
        "[{href=/-/console/capabilities/search}search]",
        "Looks.",
        "{data-is=neutral}(read)Reads onlyfree",
        "[{href=/-/console/capabilities/price}price]",
        "Looks.",
        "{data-is=neutral}(read)Reads onlyfreeperson may have to approve",
        "[{href=/-/console/capabilities/cancel}cancel]",
        "Looks.",
        "{data-is=irreversible}(irreversible)Cannot be undonefreeperson approves",
        "[{href=/-/console/capabilities/look}look]",
        "Looks.",
        "{data-is=neutral}(read)Reads onlyfree2 steps",
        "[{href=/-/console/capabilities/trip}trip]",
        "Looks.",
        "{data-is=neutral}(read)Reads onlyfree1 step",
        "[{href=/-/console/capabilities/pay}pay]",
        "Looks.",
        "{data-is=neutral}(read)Reads onlyfree",
        "Prerequisites",
        "{role=group aria-label=Graph of prerequisites and compositions}",
        "{role=img aria-label=book needs search first; book needs price first; search is a step of look; price is a step of look; book is a step of trip; pay needs book first width=292 height=132}{dash}{dash}{dash}price",
        "{width=70 x=1 y=18 height=34}",
        "{x=36 y=40}pricesearch",
        "{width=70 x=1 y=84 height=34}",
        "{x=36 y=106}searchbook",
        "{width=54 x=127 y=18 height=34}",
        "{x=154 y=40}booklook",
        "{width=54 x=127 y=84 height=34}",
        "{x=154 y=106}lookpay",
        "{width=54 x=237 y=18 height=34}",
        "{x=264 y=40}paytrip",
        "{width=54 x=237 y=84 height=34}",
        "{x=264 y=106}trip",
        "Solid line: prerequisite. Dashed line: step of a composition.",
      ]
    `)
    await screen.fill('Find a capability', 'BOOKS room')
    expect(screen.lines().slice(2)).toMatchInlineSnapshot(`
      [
        "Find a capability",
        "{type=search placeholder=Find a capability :BOOKS room}",
        "{role=status}1 found",
        "[{href=/-/console/capabilities/book}book]",
        "Books a room.\\u{7}",
        "{data-is=undo}(undo)Can be undone60.00 to 900.00 EUR, typically 240.00person may have to approve",
      ]
    `)
    await screen.fill('Find a capability', 'books moon')
    expect(screen.lines().slice(4)).toEqual(['{role=status}0 found', '(capabilities)', 'No matches', 'Try another word of the name or description.']) // prettier-ignore
  })

  it('of one stands alone, and is none where either document could not be read', async () => {
    const one = await openPage('/capabilities', served({ search: PLAIN }, [tool('search', { approval: 'never' })]))
    expect([one.lines('h1'), one.lines('.graph')]).toEqual([['1 capability'], []])
    for (const gone of ['GET /svc/manifest', 'GET /tools.json']) {
      const screen = await openPage('/capabilities', { ...ALL, [gone]: NOTHING })
      expect(screen.lines()).toEqual(['The service does not answer', 'Its manifest could not be read. Load the page again in a moment.']) // prettier-ignore
      const other = await openPage('/capabilities/book', { ...ALL, [gone]: NOTHING })
      expect(other.lines().slice(1)).toEqual(['The service does not answer', 'Its manifest could not be read. Load the page again in a moment.']) // prettier-ignore
    }
    const none = await openPage('/capabilities/hidden', ALL)
    expect(none.lines().slice(1)).toEqual(['Capability not found', 'The manifest of this service does not have it.'])
  })
})

describe('the page of a capability', () => {
  it('says what it does, what it costs, who must agree, and what stands around it', async () => {
    const screen = await openPage('/capabilities/book', ALL)
    expect([...screen.lines('.crumbs'), ...screen.lines('.page-head'), ...screen.lines('.split > .stack')]).toMatchInlineSnapshot(`
      [
        "[{href=/-/console/capabilities}‹ Capabilities]Contract 1.2",
        "book",
        "Books a room.\\u{7}",
        "What it does",
        "Effect",
        "{data-is=undo}(undo)Can be undonefor 2 h, by cancel",
        "Cost",
        "60.00 to 900.00 EUR, typically 240.00Decided by the hotel",
        "Approval",
        "Sometimes, by a personOnce. For a session, 3 calls, valid for 15 min",
        "Token needs",
        "hotels.book, hotels.read and a budget in EUR",
        "Called by",
        "human only, with a token of their own",
        "Makes",
        "a booking, not an invoice",
        "Answers",
        "at once or as a stream",
        "Logged",
        "hotel, nights · kept 2 years",
        "Related capabilities",
        "{role=img aria-label=book needs search first; price gives what book needs; pay needs book first; book is a step of trip; cancel undoes book; look checks book; renew refreshes book}{dash}{dash}{dash}{dash}{here}book",
        "{width=54 x=171 y=51 height=34}",
        "{x=198 y=73}booksearch",
        "{width=73 x=54 y=18 height=34}",
        "{x=90.5 y=40}search{x=58 y=13}comes firstprice",
        "{width=126 x=1 y=84 height=34}",
        "{x=64 y=106}price{x=5 y=79}gives what it needspay",
        "{width=93 x=269 y=18 height=34}",
        "{x=315.5 y=40}pay{x=273 y=13}needs it firsttrip",
        "{width=106 x=269 y=84 height=34}",
        "{x=322 y=106}trip{x=273 y=79}has it as a stepcancel",
        "{width=70 x=106 y=150 height=34}",
        "{x=141 y=172}cancel{x=110 y=145}undoes itrenew",
        "{width=80 x=96 y=216 height=34}",
        "{x=136 y=238}renew{x=100 y=211}refreshes itlook",
        "{width=60 x=220 y=150 height=34}",
        "{x=250 y=172}look{x=224 y=145}checks it",
        "[{href=/-/console/capabilities/search}search] comes first",
        "[{href=/-/console/capabilities/price}price] gives what it needs",
        "[{href=/-/console/capabilities/pay}pay] needs it first",
        "[{href=/-/console/capabilities/trip}trip] has it as a step",
        "[{href=/-/console/capabilities/cancel}cancel] undoes it",
        "[{href=/-/console/capabilities/look}look] checks it",
        "[{href=/-/console/capabilities/renew}renew] refreshes it",
      ]
    `) // prettier-ignore
  })

  it.each([
    ['nothing', {}, {}, [
      'Effect',
      '{data-is=neutral}(read)Reads only',
      'Cost',
      'Free (none declared)',
      'Approval',
      'None',
      'Token needs',
      'a',
      'Answers',
      'at once',
      'Logged',
      'the call, none of its values',
    ]],
    ['a step that needs an approval', {}, { approval: 'sometimes' }, [
      'Effect',
      '{data-is=neutral}(read)Reads only',
      'Cost',
      'Free (none declared)',
      'Approval',
      'Where a step of it needs one',
      'Token needs',
      'a',
      'Answers',
      'at once',
      'Logged',
      'the call, none of its values',
    ]],
    ['one approval', { approval: { grant_policy: { allowed_grant_types: ['one_time'], expires_in_seconds: 60, max_uses: 1 } }, observability: { logged: false } }, { approval: 'always' }, [
      'Effect',
      '{data-is=neutral}(read)Reads only',
      'Cost',
      'Free (none declared)',
      'Approval',
      'Always, by a personOnce, valid for 1 min',
      'Token needs',
      'a',
      'Answers',
      'at once',
    ]],
    ['a fixed cost', { cost: { financial: { currency: 'JPY', amount: 5 } }, business_effects: { produces: ['x'] }, response_modes: ['streaming'], observability: { retention: 'P1D' } }, {}, [
      'Effect',
      '{data-is=neutral}(read)Reads only',
      'Cost',
      '5 JPY',
      'Approval',
      'None',
      'Token needs',
      'a',
      'Makes',
      'x',
      'Answers',
      'as a stream',
      'Logged',
      'the call, none of its values · kept 1 day',
    ]],
    ['a ceiling without a currency', { control_requirements: [{ type: 'cost_ceiling' }], side_effect: { type: 'write' }, observability: { retention: 'PT2H', fields_logged: [] } }, {}, [
      'Effect',
      '{data-is=neutral}(write)Changes datano undo is declared',
      'Cost',
      'Free (none declared)',
      'Approval',
      'None',
      'Token needs',
      'a and a budget',
      'Answers',
      'at once',
      'Logged',
      'the call, none of its values · kept 2 h',
    ]],
    ['another requirement', { control_requirements: [{ type: 'stronger' }], side_effect: { type: 'irreversible' }, observability: { retention: 'P6M' } }, {}, [
      'Effect',
      '{data-is=irreversible}(irreversible)Cannot be undonenothing takes it back',
      'Cost',
      'Free (none declared)',
      'Approval',
      'None',
      'Token needs',
      'a',
      'Answers',
      'at once',
      'Logged',
      'the call, none of its values · kept 6 months',
    ]],
  ])('says of %s what it does', async (_, more, ofTool, said) => {
    const screen = await openPage('/capabilities/book', served({ book: { ...PLAIN, ...more } }, [tool('book', { approval: 'never', ...ofTool })]))
    expect(screen.lines('.split > .stack').slice(1, -2)).toEqual(said)
  }) // prettier-ignore

  it('has a form from the schema, in the order of the manifest', async () => {
    const screen = await openPage('/capabilities/book', ALL)
    expect(screen.lines('form')).toMatchInlineSnapshot(`
      [
        "Called with a token of yours: hotels.book, for this capability, 15 min.",
        "Budget of the token, in EUR",
        "{type=text aria-invalid=false :900}",
        "hotel",
        "{type=text placeholder}",
        "Which\\u{202E} one.",
        "quote (optional)",
        "{placeholder}",
        "[{href=/-/console/capabilities/price}Get one from price]",
        "when (optional)",
        "{type=text placeholder=2030-05-01T14:30:00Z}",
        "day (optional)",
        "{type=date placeholder}",
        "nights (optional)",
        "{type=text aria-invalid=false placeholder=2 unless given}",
        "rate (optional)",
        "{type=text aria-invalid=false placeholder}",
        "card (optional)",
        "Choose",
        "visa",
        "7",
        "null",
        "late (optional)",
        "Choose",
        "yes",
        "no",
        "free (optional)",
        "{aria-invalid=false placeholder=JSON, such as {"city": "Faro"}}",
        "guest",
        "Who comes.",
        "name",
        "{type=text placeholder}",
        "age (optional)",
        "{type=text aria-invalid=false placeholder}",
        "tags (optional)",
        "Words.",
        "{type=button}Add to tags",
        "pay (optional)",
        "Kind of pay",
        "Choose",
        "kind cash",
        "null",
        "No value: null.",
        "{role=status data-is=waiting}(waiting)You may call it. A person may have to approve.",
        "Scope, budget and requirements of the token are fine. Nothing runs before the approval. The call itself checks inputs, price and rate.",
        "{type=button data-kind=primary aria-disabled=false}Call it",
        "This makes a real call, recorded in the audit trail.",
      ]
    `)
    expect(screen.changes()).toEqual([
      { request: 'POST /-/console/api/try/permission', csrf: 'csrf-of-bob', body: { capability: 'book', budget: { currency: 'EUR', max_amount: 900 } } },
    ]) // prettier-ignore
  })

  it('calls with what was filled in, once for each key, and shows what came back', async () => {
    const screen = await openPage('/capabilities/book', ALL)
    await screen.fill('hotel', 'Aurora')
    await screen.fill('nights', '3x')
    await screen.fill('rate', ' 1.5 ')
    await screen.fill('card', '1')
    await screen.fill('late', 'false')
    await screen.fill('free', '{"a":')
    expect(screen.lines('form').filter((line) => /invalid=true|not JSON/u.test(line))).toMatchInlineSnapshot(`
      [
        "{type=text aria-invalid=true placeholder=2 unless given :3x}",
        "{aria-invalid=true placeholder=JSON, such as {"city": "Faro"} :{"a":}",
      ]
    `)
    await screen.fill('free', '[1]')
    await screen.fill('name', 'Ana')
    await screen.click('Add to tags')
    await screen.click('Add to tags')
    await screen.fill('tags 1', 'a')
    await screen.fill('tags 2', 'b')
    await screen.click('Remove tags 1')
    await screen.fill('Kind of pay', '0')
    await screen.fill('Budget of the token', '20.5')
    await screen.fill('Budget of the token', '20,5')
    const call = 'POST /-/console/api/try/call'
    const calls = () => screen.changes().filter(({ request }) => request === call).map(({ body }) => body as { readonly key: string }) // prettier-ignore
    await screen.click('Call it')
    expect(screen.lines('[aria-labelledby=answer]')).toMatchInlineSnapshot(`
      [
        "Answer",
        "{role=alert data-is=failed}(failed)No answer",
        "The service did not answer. It may have received this or not; pressing again is safe.",
        "no_answer",
      ]
    `)
    screen.answer({
      [call]: {
        invocation_id: 'inv-000000000001',
        result: { text: 'x\u202E' },
        cost_actual: { currency: 'EUR', amount: 7 },
      },
    })
    await screen.click('Call it')
    expect(screen.lines('[aria-labelledby=answer]')).toMatchInlineSnapshot(`
      [
        "Answer",
        "{role=status data-is=done}(done)Done, for 7.00 EUR",
        "{role=region aria-label=Result}{ "text": "x\\u{202E}" }",
        "[{href=/-/console/activity/inv-000000000001}Open the call]",
      ]
    `)
    screen.answer({ [call]: failure('approval_required', 'Somebody must.', { invocation_id: 'inv-000000000002', failure: { type: 'approval_required', detail: 'Somebody must.', approval_request_id: 'apr_1' } }) }) // prettier-ignore
    await screen.click('Call it')
    expect(screen.lines('[aria-labelledby=answer]')).toMatchInlineSnapshot(`
      [
        "Answer",
        "{role=status data-is=waiting}(waiting)A person must approve it. Then call it again.",
        "Somebody must.",
        "approval_required",
        "[{href=/-/console/activity/inv-000000000002}Open the call][{href=/-/console/approvals/apr_1}Open the request]",
      ]
    `)
    screen.answer({ [call]: failure('authentication_required', 'Sign in again.') })
    await screen.click('Call it')
    expect(screen.lines('[aria-labelledby=answer]')).toMatchInlineSnapshot(`
      [
        "Answer",
        "{role=alert data-is=refused}(refused)It was not done",
        "Sign in again.",
        "authentication_required",
        "{type=button}Sign in again",
      ]
    `)
    const [first, second, third] = calls()
    expect([first?.key === second?.key, second?.key === third?.key]).toEqual([true, false])
    expect({ ...first, key: '' }).toMatchInlineSnapshot(`
      {
        "budget": {
          "currency": "EUR",
          "max_amount": 20.5,
        },
        "capability": "book",
        "key": "",
        "parameters": {
          "card": 7,
          "free": [
            1,
          ],
          "guest": {
            "name": "Ana",
          },
          "hotel": "Aurora",
          "late": false,
          "nights": "3x",
          "none": null,
          "pay": {
            "kind": "cash",
          },
          "rate": 1.5,
          "tags": [
            "b",
          ],
        },
      }
    `)
  })

  it('asks twice before what cannot be undone, unless a person is asked anyway', async () => {
    const gone = { ...PLAIN, side_effect: { type: 'irreversible' } }
    const call = 'POST /-/console/api/try/call'
    const screen = await openPage('/capabilities/book', served({ book: gone }, [tool('book', { approval: 'never', input_schema: {} })])) // prettier-ignore
    await screen.click('Call it…')
    expect([screen.lines('dialog'), screen.changes().length]).toMatchInlineSnapshot(`
      [
        [
          "{role=alertdialog}",
          "book cannot be undone",
          "It runs at once, and no capability of Travel can undo it.",
          "{type=button data-kind=irreversible}Call it for good",
          "{type=button autofocus=true}Go back Esc",
        ],
        1,
      ]
    `)
    await screen.click('Go back')
    expect(screen.lines('dialog')).toEqual([])
    await screen.click('Call it…')
    screen.answer({ [call]: new Promise(() => undefined) as never })
    await screen.click('Call it for good')
    expect(screen.lines('dialog')).toEqual([])
    expect(screen.lines('form .row')).toEqual(['{type=button data-kind=primary aria-disabled=true}Calling…', 'This makes a real call, recorded in the audit trail.']) // prettier-ignore
    await screen.click('Calling')
    expect(screen.changes().filter(({ request }) => request === call)).toHaveLength(1)
    const asked = await openPage('/capabilities/book', served({ book: gone }, [tool('book', { approval: 'always', input_schema: {} })])) // prettier-ignore
    await asked.click('Ask to call it')
    expect(asked.changes().filter(({ request }) => request === call)).toHaveLength(1)
  })

  it.each([
    ['never', { available: [{ capability: 'book' }], restricted: [], denied: [] }, [
      '{role=status data-is=done}(done)You may call it.',
      'Scope and requirements of the token are fine. The call itself checks inputs, price and rate.',
    ]],
    ['sometimes', { available: [{ capability: 'book' }], restricted: [], denied: [] }, [
      '{role=status data-is=waiting}(waiting)You may call it. A person may have to approve.',
      'Scope and requirements of the token are fine. Nothing runs before the approval. The call itself checks inputs, price and rate.',
    ]],
    ['always', { available: [{ capability: 'book' }], restricted: [], denied: [] }, [
      '{role=status data-is=waiting}(waiting)You may call it. A person will have to approve.',
      'Scope and requirements of the token are fine. Nothing runs before the approval. The call itself checks inputs, price and rate.',
    ]],
    ['always', { available: [], restricted: [{ reason: 'No scope.', grantable_by: 'human:ana' }], denied: [{ reason: 'x' }] }, [
      '{role=status data-is=refused}(refused)You may not call it',
      'No scope. ana can give it.',
    ]],
    ['always', { available: [], restricted: [], denied: [{ reason: 'Never.' }] }, [
      '{role=status data-is=refused}(refused)You may not call it',
      'Never.',
    ]],
    ['always', { available: [], restricted: [], denied: [] }, [
      '{role=status data-is=refused}(refused)You may not call it',
      'The service did not say why.',
    ]],
    ['always', failure('authentication_required', 'Sign in again.'), [
      '{role=status data-is=refused}(refused)You may not call it',
      'Sign in again.',
      '{type=button}Sign in again',
    ]],
    ['always', failure('rate_limited', 'Too often.'), [
      '{role=status data-is=refused}(refused)You may not call it',
      'Too often.',
    ]],
  ])('says whether one may: %s %j', async (approval, answer, said) => {
    const screen = await openPage('/capabilities/book', { ...served({ book: PLAIN }, [tool('book', { approval })]), 'POST /-/console/api/try/permission': answer })
    expect(screen.lines('form .notice')).toEqual(said)
  }) // prettier-ignore

  it('says of the budget that stands there now whether one may, though of the one before it is answered later', async () => {
    const bodies: { readonly budget: { readonly max_amount: number } }[] = []
    let first = (): void => undefined
    const none = { available: [], restricted: [], denied: [{ reason: 'Too little.' }] }
    const permission = (body: never) => {
      bodies.push(body)
      if (bodies.length > 1) return { available: [{ capability: 'book' }], restricted: [], denied: [] }
      return new Promise<Response>((resolve) => (first = () => resolve(Response.json(none))))
    }
    const screen = await openPage('/capabilities/book', { ...ALL, 'POST /-/console/api/try/permission': permission })
    expect(screen.lines('form').some((line) => line.startsWith('Asking the service'))).toBe(true)
    await screen.fill('Budget of the token', '950')
    first()
    await screen.pass()
    expect(bodies.map(({ budget }) => budget.max_amount)).toEqual([900, 950])
    expect(screen.lines('form .notice')[0]).toBe('{role=status data-is=waiting}(waiting)You may call it. A person may have to approve.') // prettier-ignore
  })

  it.each([
    ['20', 20], ['20.5', 20.5], [' 7 ', 7], ['0.0001', 0.0001], ['999999999999', 999_999_999_999],
    ['1.00001', 900], ['9999999999999', 900], ['-1', 900], ['1e3', 900], ['', 900],
  ])('takes %j for a budget as %s', async (typed, amount) => {
    const screen = await openPage('/capabilities/book', ALL)
    await screen.fill('Budget of the token', typed)
    await screen.click('Call it')
    expect(screen.changes().at(-1)?.body).toMatchObject({ budget: { currency: 'EUR', max_amount: amount } })
  }) // prettier-ignore

  it('says that the text must be selected where a browser does not copy', async () => {
    const screen = await openPage('/capabilities/book', ALL)
    vi.stubGlobal('navigator', { clipboard: { writeText: async () => Promise.reject(new Error('no')) } })
    await screen.click('Copy')
    expect(screen.lines('.foot [role=status]')).toEqual(['{role=status}This browser does not copy: select the text'])
  })

  it.each([
    [24, true],
    [25, false],
  ])('draws what stands around it up to %i others: %s', async (count, isDrawn) => {
    const others = [...Array(count).keys()].map((n) => `needs_${n}`)
    const capabilities = { book: PLAIN, ...Object.fromEntries(others.map((name) => [name, { ...PLAIN, requires: [{ capability: 'book' }] }])) } // prettier-ignore
    const screen = await openPage('/capabilities/book', served(capabilities, ['book', ...others].map((name) => tool(name)))) // prettier-ignore
    const panel = screen.window.document.querySelector('[aria-labelledby=around]')!
    expect([panel.querySelectorAll('li').length, panel.querySelector('svg') !== null]).toEqual([count, isDrawn])
  })

  it('has the same call in four languages, with keys for it', async () => {
    const screen = await openPage('/capabilities/book', served({ book: PLAIN }, [tool('book', { approval: 'never', input_schema: {} })])) // prettier-ignore
    expect(screen.lines('[aria-labelledby=same]')).toMatchInlineSnapshot(`
      [
        "The same call",
        "{role=tablist aria-label=Language}",
        "{type=button role=tab aria-selected=true}curl",
        "{type=button role=tab aria-selected=false}CLI",
        "{type=button role=tab aria-selected=false}TypeScript",
        "{type=button role=tab aria-selected=false}Python",
        "{role=tabpanel}",
        "{role=region aria-label=curl}curl https://travel.example/svc/invoke/book \\ -H "Authorization: Bearer $SVC_TOKEN" \\ -H 'Content-Type: application/json' \\ -d '{"parameters":{}}'",
        "The sample does not contain your token: set SVC_TOKEN.{role=status}",
        "{type=button}Copy",
      ]
    `)
    const shown: (string | undefined)[] = []
    await screen.focus('curl')
    for (const key of ['ArrowLeft', 'ArrowRight', 'ArrowRight', 'a']) {
      await screen.press(key)
      shown.push(screen.focused())
    }
    expect(shown).toEqual(['Python', 'curl', 'CLI', 'CLI'])
    await screen.click('Copy')
    expect([screen.copied, screen.lines('.foot [role=status]')]).toMatchInlineSnapshot(`
      [
        [
          "svc call book \\
        --url https://travel.example",
        ],
        [
          "{role=status}Copied",
        ],
      ]
    `)
    await screen.click('TypeScript')
    expect(screen.lines('.foot [role=status]')).toEqual(['{role=status}'])
  })

  it('begins with a budget of the most that is declared, and leaves out a list that has nothing left', async () => {
    const cost = { certainty: 'estimated', financial: { currency: 'EUR', upper_bound: 500 } }
    const screen = await openPage('/capabilities/book', served({ book: { ...BOOK, cost } }, [tool('book')]))
    expect(screen.lines('#try-budget')).toEqual(['{type=text aria-invalid=false :500}'])
    await screen.click('Add to tags')
    await screen.click('Remove tags 1')
    await screen.click('Call it')
    expect(JSON.stringify(screen.changes().at(-1)?.body)).not.toContain('tags')
  })

  it('that only streams is called elsewhere', async () => {
    const streams = { ...PLAIN, response_modes: ['streaming'] }
    const screen = await openPage('/capabilities/book', served({ book: streams }, [tool('book', { input_schema: {} })]))
    expect([screen.lines('form').at(-1), screen.lines('pre'), screen.lines('[aria-labelledby=answer]')]).toMatchInlineSnapshot(`
      [
        "This capability streams its response, which this page cannot show. Call it as below.",
        [
          "{role=region aria-label=curl}curl -N https://travel.example/svc/invoke/book \\ -H "Authorization: Bearer $SVC_TOKEN" \\ -H 'Content-Type: application/json' \\ -d '{"parameters":{},"approval":"continue","stream":true}'",
        ],
        [],
      ]
    `) // prettier-ignore
  })
})
