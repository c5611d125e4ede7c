/**
 * What a user of the client does, in any runtime: nothing here but the language, `fetch` and the generated client. Each scenario
 * gives what it saw, without what differs from run to run.
 */
export const scenarios = { travel, pipeline }

async function travel({ createClient, baseUrl, credentials }) {
  const as = (name) => createClient({ baseUrl, credential: credentials[`SVC_${name}_KEY`] })
  const scope = ['travel.search', 'travel.book']
  const { client: root } = await as('DEVELOPER').delegate({ scope, budget: { currency: 'EUR', max_amount: 1000 } })
  const agent = async (max_amount) => {
    const budget = { currency: 'EUR', max_amount }
    return (await root.delegate({ scope, subject: 'agent:assistant', budget })).client
  }
  const [poor, rich] = [await agent(100), await agent(300)]
  const found = await rich.searchFlights({ origin: 'LIS', destination: 'BER', date: '2030-05-01' })
  const booking = { quote_id: found.result.quote_id, passengers: 1 }
  const { keys } = await (await fetch(`${baseUrl}/.well-known/jwks.json`)).json()
  const pinnedKeys = keys.map(({ kid }) => kid)
  return {
    manifest: (await root.manifest({ pinnedKeys })).manifest.service_identity.id,
    'manifest, another key pinned': await thrownBy(() => root.manifest({ pinnedKeys: ['other'] })),
    'over budget': failureOf(await poor.bookFlight(booking)),
    'a failure of the business': failureOf(await rich.getBooking({ booking_id: 'none' })),
    'waited for approval': await whileApproved(as('APPROVER'), () => rich.bookFlight(booking, { approval: 'wait' })),
    'resumed from JSON, twice': await whileApproved(as('APPROVER'), async () => {
      const asked = await rich.bookFlight({ ...booking, quote_id: await quote(rich) })
      const stored = JSON.stringify(asked.failure.pending)
      const first = await rich.resume(JSON.parse(stored), { wait: true })
      const again = await rich.resume(JSON.parse(stored), { wait: true })
      return again.success && again.invocation_id === first.invocation_id ? first : again
    }),
    permissions: (await rich.permissions()).result.denied,
    trail: (await rich.audit({ capability: 'book_flight', success: true, limit: 1 })).result.entries.length,
    aborted: await thrownBy(() => rich.bookFlight(booking, { signal: AbortSignal.abort() })),
    unreachable: await thrownBy(() => createClient({ baseUrl: 'http://127.0.0.1:9', retries: 0 }).permissions()),
  }
}

async function pipeline({ createClient, baseUrl, credentials }) {
  const scope = ['reports.read', 'reports.write']
  const { client } = await createClient({ baseUrl, credential: credentials.SVC_DEVELOPER_KEY }).delegate({ scope })
  const writing = client.streaming.writeReport({ title: 'Spring', pages: 3 })
  const pages = []
  for await (const { payload } of writing) pages.push(payload.page)
  return { pages, outcome: (await writing.outcome()).result.pages }
}

/** What a call answers while a person approves the one request that waits. */
async function whileApproved(approver, call) {
  const called = call()
  for (let pending; pending === undefined;) {
    ;[pending] = (await approver.approvals.list({ status: 'pending' })).result.approval_requests
    if (pending === undefined) await new Promise((done) => setTimeout(done, 20))
    else await approver.approvals.grant({ approval_request_id: pending.approval_request_id, grant_type: 'one_time' })
  }
  const outcome = await called
  return outcome.success ? outcome.result.flight : outcome.failure
}

async function quote(client) {
  return (await client.searchFlights({ origin: 'LIS', destination: 'BER', date: '2030-06-01' })).result.quote_id
}

const failureOf = (outcome) => (outcome.success ? 'succeeded' : outcome.failure.type)

const thrownBy = (call) =>
  call().then(
    () => 'nothing',
    (error) => error.name,
  )
