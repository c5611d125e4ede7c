/** N32: one person at a provider that names everybody anew for each client (decisions, section 20). */
import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { startProvider } from './provider-process.js'
import { startWorld, type Browser } from './world.js'

const RESOURCE = 'https://flights.example/'
const CALLBACK = 'http://127.0.0.1:9/callback'

let provider: Awaited<ReturnType<typeof startProvider>>
beforeAll(async () => {
  provider = await startProvider('pairwise-provider.js')
})
afterAll(() => provider.close())

const start = (more: object = {}) =>
  startWorld({
    given: {
      oidc: [
        {
          issuer: provider.issuer,
          audience: RESOURCE,
          clients: ['svc-cli'],
          principal: 'sub',
          alias: 'entra',
          entitlements: () => ({ scopes: ['travel.search', 'approver:book'] }),
          ...more,
        },
      ],
    },
    options: { clientId: 'svc-console', scope: 'openid' },
  })

/** The access token that a person gets on the command line. */
async function accessToken(browser: Browser, account: string): Promise<string> {
  const verifier = randomBytes(32).toString('base64url')
  const challenge = createHash('sha256').update(verifier).digest('base64url')
  const asked = { client_id: 'svc-cli', response_type: 'code', redirect_uri: CALLBACK, scope: 'openid use', resource: RESOURCE, code_challenge: challenge, code_challenge_method: 'S256' } // prettier-ignore
  let location = `${provider.issuer}/auth?${new URLSearchParams(asked).toString()}`
  for (let step = 0; step < 10 && !location.startsWith(CALLBACK); step++) {
    const seen = await browser.get(/\/pick\/[\w-]+$/u.test(location) ? `${location}/${account}` : location)
    location = new URL(seen.headers.get('location') ?? '', location).href
  }
  const code = new URL(location).searchParams.get('code') ?? ''
  const body = { grant_type: 'authorization_code', client_id: 'svc-cli', code, redirect_uri: CALLBACK, code_verifier: verifier, resource: RESOURCE } // prettier-ignore
  const answer = await fetch(`${provider.issuer}/token`, { method: 'POST', body: new URLSearchParams(body) })
  return ((await answer.json()) as { access_token: string }).access_token
}

it('N32: by the claim that stays, console and command line resolve to one principal, which approves nothing of its own', async () => {
  const world = await start({ subjectClaim: 'oid' })
  const bearer = await accessToken(world.browser(), 'ana')
  const { token } = await world.fixture.issued(bearer, { scope: ['travel.search'] })
  const asked = await world.fixture.invoke('book', token, { parameters: { hotel: 'Ritz' } })
  const id = asked.body['failure']?.['approval_request_id'] as unknown as string
  const browser = world.browser()
  await browser.byProvider('ana')
  expect((await browser.me())['person']?.['principal']).toBe('oidc:entra/oid-ana')
  const [first] = (await world.fixture.storage.audit.query({ rootPrincipal: 'oidc:entra/oid-ana', limit: 10 })).map(({ root_principal }) => root_principal) // prettier-ignore
  expect(first).toBe('oidc:entra/oid-ana')
  expect((await browser.post(`/-/console/api/approvals/${id}/approve`, {})).body['failure']).toMatchObject({
    type: 'approver_not_authorized',
  })
})

it('N32: without that claim, its sign-ins are refused with an alarm, on the command line and in the console', async () => {
  const world = await start()
  const bearer = await accessToken(world.browser(), 'ana')
  expect((await world.fixture.post('/svc/tokens', bearer, { scope: ['travel.search'] })).status).toBe(401)
  const browser = world.browser()
  await browser.byProvider('ana')
  expect((await browser.me())['person']).toBeUndefined()
  expect(world.fixture.service.alarms.all()).toContain('provider_subjects_pairwise')
  expect(world.fixture.logged.join()).toContain("subjectClaim: 'oid'")
})

it.each(['', 7, 'a b', null])(
  'N32: %j is no claim that names people: the service does not start',
  async (subjectClaim) => {
    await expect(start({ subjectClaim })).rejects.toThrow('subjectClaim must name a claim')
  },
)
