/** `docs/guides/it-says-401.md`, row by row: claims as each provider sends them, and what the log says of them. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { OidcOptions } from '../../../src/runtime/index.js'
import { startFixture } from '../fixture/service.js'
import { fakeProvider, jwt } from './fake-provider.js'

let provider: Awaited<ReturnType<typeof fakeProvider>>
beforeEach(async () => void (provider = await fakeProvider()))
afterEach(() => provider.close())

const TENANT = '11111111-2222-3333-4444-555555555555'
const APP = '66666666-7777-8888-9999-000000000000'
const CLIENT = 'aaaaaaaa-bbbb-cccc-dddd-eeeeeeeeeeee'

const ENTRA_2 = { aud: APP, azp: CLIENT, azpacr: '0', aio: 'AWQ', name: 'Ana', oid: 'o-1', preferred_username: 'ana@example.org', scp: 'access', sub: 'pairwise-1', tid: TENANT, uti: 'u', ver: '2.0' } // prettier-ignore
const ENTRA_1 = { aud: `api://${APP}`, appid: CLIENT, appidacr: '0', idp: `https://sts.windows.net/${TENANT}/`, oid: 'o-1', scp: 'access', sub: 'pairwise-1', tid: TENANT, unique_name: 'ana@example.org', upn: 'ana@example.org', ver: '1.0' } // prettier-ignore
const OKTA = { ver: 1, jti: 'AT.1', aud: 'api://docs', cid: '0oa1', uid: '00u1', scp: ['openid', 'docs'], auth_time: 1, sub: 'ana@example.org', groups: ['approvers'] } // prettier-ignore
const GOOGLE = { azp: '12-web.apps.googleusercontent.com', aud: '12-web.apps.googleusercontent.com', sub: '1045', hd: 'example.org', email: 'ana@example.org', email_verified: true, at_hash: 'h', nonce: 'n' } // prettier-ignore
const KEYCLOAK = { jti: 'onrtac:1', aud: ['docs', 'account'], sub: 'f:1:ana', typ: 'Bearer', azp: 'docs-cli', sid: 's', acr: '1', realm_access: { roles: ['approvers'] }, scope: 'openid email', email_verified: true, preferred_username: 'ana', email: 'ana@example.org' } // prettier-ignore
const COGNITO = { sub: 'c-1', 'cognito:groups': ['approvers'], version: 2, client_id: '7abc', origin_jti: 'o', token_use: 'access', scope: 'openid', auth_time: 1, jti: 'j', username: 'ana', aud: undefined } // prettier-ignore
const AUTH0 = { sub: 'auth0|64ab', aud: ['https://docs.example', 'https://name.eu.auth0.com/userinfo'], azp: 'spa1', scope: 'openid', permissions: [] } // prettier-ignore
const GITHUB = { jti: 'j', sub: 'repo:octo/shop:ref:refs/heads/main', aud: 'docs', ref: 'refs/heads/main', repository: 'octo/shop', repository_owner: 'octo', event_name: 'push', job_workflow_ref: 'octo/shop/.github/workflows/x.yml@refs/heads/main' } // prettier-ignore

const LONG = `repo:octo@1/${'shop'.repeat(40)}@2:environment:${'production'.repeat(6)}`.padEnd(253, 'x')
const entra = { audience: APP, clients: [CLIENT], alias: 'entra', principal: 'sub', subjectClaim: 'oid' } as const
const okta = { audience: 'api://docs', clients: ['0oa1'] }
const google = { audience: GOOGLE.aud, tokens: 'id' } as const
const keycloak = { audience: 'docs', clients: ['docs-cli'] }
const cognito = { audience: '7abc', audienceClaim: 'client_id' } as const
const auth0 = { audience: 'https://docs.example', clients: ['spa1'] }
const github = { audience: 'docs', serviceAccounts: { [GITHUB.sub]: 'service:shop-ci' } } as const

interface Row {
  readonly options: Partial<OidcOptions>
  /** Claims as the provider sends them; a text is a credential that is no JWT. */
  readonly sent: object | string
  /** Issuer of the token, where it is not the configured one. */
  readonly iss?: string
  /** The name that the person has, once the remedy is done: by other options, or by other claims. */
  readonly remedy?: { readonly options?: Partial<OidcOptions>; readonly sent?: object }
  readonly principal: string
}

const ROWS: { readonly [row: string]: Row } = {
  'Entra ID: an access token of version 1': { options: entra, sent: ENTRA_1, iss: `https://sts.windows.net/${TENANT}/`, remedy: { sent: ENTRA_2 }, principal: 'oidc:entra/o-1' },
  'Entra ID: version 1 on purpose': { options: entra, sent: ENTRA_1, remedy: { options: { ...entra, audience: `api://${APP}` } }, principal: 'oidc:entra/o-1' },
  'Entra ID: a token for Microsoft Graph': { options: entra, sent: { ...ENTRA_1, aud: '00000003-0000-0000-c000-000000000000' }, remedy: { sent: ENTRA_2 }, principal: 'oidc:entra/o-1' },
  'Entra ID: a client that is not listed': { options: { ...entra, clients: ['other'] }, sent: ENTRA_2, remedy: { options: entra }, principal: 'oidc:entra/o-1' },
  'Entra ID: a client that is not listed, version 1': { options: { ...entra, audience: `api://${APP}`, clients: ['other'] }, sent: ENTRA_1, remedy: { options: { ...entra, audience: `api://${APP}` } }, principal: 'oidc:entra/o-1' },
  'Entra ID: a person in more than 200 groups': { options: entra, sent: { ...ENTRA_2, _claim_names: { groups: 'src1' }, _claim_sources: { src1: {} } }, principal: 'oidc:entra/o-1' },
  'Okta: a token of the org server': { options: okta, sent: { ...OKTA, aud: 'https://example.okta.com' }, iss: 'https://example.okta.com', remedy: { sent: OKTA }, principal: 'oidc:ana%40example.org' },
  'Okta: the default audience': { options: okta, sent: { ...OKTA, aud: 'api://default' }, remedy: { options: { ...okta, audience: 'api://default' } }, principal: 'oidc:ana%40example.org' },
  'Okta: a client that is not listed': { options: { ...okta, clients: ['0oa2'] }, sent: OKTA, remedy: { options: okta }, principal: 'oidc:ana%40example.org' },
  'Google: an access token, `ya29.…`': { options: google, sent: 'ya29.a0AfH6', remedy: { sent: GOOGLE }, principal: 'human:ana@example.org' },
  'Google: an ID token where access tokens count': { options: { audience: GOOGLE.aud }, sent: GOOGLE, remedy: { options: google }, principal: 'human:ana@example.org' },
  'Google: an ID token of another client of the project': { options: google, sent: { ...GOOGLE, azp: '12-android' }, remedy: { options: { ...google, clients: ['12-android'] } }, principal: 'human:ana@example.org' },
  'Keycloak: 22 to 24, an access token with a `nonce`': { options: keycloak, sent: { ...KEYCLOAK, nonce: 'n', session_state: 's' }, principal: 'human:ana@example.org' },
  'Keycloak: an audience of `account` only': { options: keycloak, sent: { ...KEYCLOAK, aud: 'account' }, remedy: { sent: KEYCLOAK }, principal: 'human:ana@example.org' },
  'Keycloak: no audience at all': { options: keycloak, sent: { ...KEYCLOAK, aud: undefined }, remedy: { sent: KEYCLOAK }, principal: 'human:ana@example.org' },
  'Keycloak: another host name than in the browser': { options: keycloak, sent: KEYCLOAK, iss: 'http://keycloak:8080/realms/company', remedy: { sent: KEYCLOAK }, principal: 'human:ana@example.org' },
  'Keycloak: a client that is not listed': { options: { ...keycloak, clients: [] }, sent: KEYCLOAK, remedy: { options: keycloak }, principal: 'human:ana@example.org' },
  'Keycloak: 25 and 26, a token without `sub`': { options: keycloak, sent: { ...KEYCLOAK, sub: undefined }, remedy: { sent: KEYCLOAK }, principal: 'human:ana@example.org' },
  'Cognito: an access token': { options: { audience: '7abc' }, sent: COGNITO, remedy: { options: cognito }, principal: 'oidc:c-1' },
  'Cognito: an access token of another app client': { options: cognito, sent: { ...COGNITO, client_id: '8def' }, remedy: { sent: COGNITO }, principal: 'oidc:c-1' },
  'Cognito: an ID token whose `email_verified` is a text': { options: { audience: '7abc', tokens: 'id' }, sent: { sub: 'c-1', aud: '7abc', token_use: 'id', at_hash: 'h', email: 'ana@example.org', email_verified: 'true' }, principal: 'human:ana@example.org' },
  'Auth0: an issuer without its slash': { options: auth0, sent: AUTH0, iss: 'https://name.eu.auth0.com/', remedy: { sent: AUTH0 }, principal: 'oidc:auth0%7C64ab' },
  'Auth0: an encrypted access token': { options: auth0, sent: 'eyJhbGciOiJkaXIifQ..aXY.Y2lwaGVy.dGFn', remedy: { sent: AUTH0 }, principal: 'oidc:auth0%7C64ab' },
  'Auth0: a client that is not listed': { options: { ...auth0, clients: [] }, sent: AUTH0, remedy: { options: auth0 }, principal: 'oidc:auth0%7C64ab' },
  'GitHub Actions: the default audience': { options: github, sent: { ...GITHUB, aud: 'https://github.com/octo' }, remedy: { sent: GITHUB }, principal: 'service:shop-ci' },
  'GitHub Actions: a token from the start of a long job': { options: github, sent: { ...GITHUB, exp: 1 }, remedy: { sent: GITHUB }, principal: 'service:shop-ci' },
  'GitHub Actions: a long, customised `sub`': { options: { ...github, alias: 'github' }, sent: { ...GITHUB, sub: LONG }, principal: `oidc:github/${encodeURIComponent(LONG)}` },
} // prettier-ignore

/** Row of the guide -> the name in its column of the log; the empty text where the guide says that there is none. */
function rowsOfTheGuide(): { readonly [row: string]: string } {
  const [, ...sections] = readFileSync('docs/guides/it-says-401.md', 'utf8').split(/^## /mu)
  return Object.fromEntries(
    sections.flatMap((section) => {
      const heading = section.slice(0, section.indexOf('\n'))
      const rows = [...section.matchAll(/^\| (.+?) *\| (.+?) *\|/gmu)].slice(2)
      return rows.map(([, title, log]) => [`${heading}: ${title}`, /^`(\w+)`$/u.exec(log!)?.[1] ?? ''])
    }),
  )
}

/** The answer to a credential: its principal or status, and the claims that lines of the log name. */
async function asked({ options, sent, iss }: Row) {
  const oidc = [{ issuer: provider.issuer, audience: '', ...options }]
  const { post, storage, logged } = await startFixture({ clock: Date.now, oidc })
  const claims = typeof sent === 'string' ? {} : provider.claims({ ...sent, ...(iss !== undefined && { iss }) })
  const bearer = typeof sent === 'string' ? sent : jwt(provider.key, claims, { typ: 'JWT' })
  const { status, body } = await post('/svc/tokens', bearer, { scope: ['travel.search'] })
  const chain = status === 200 ? await storage.tokens.chain(body['token_id'] as unknown as string) : undefined
  const named = logged.join('\n').match(/"(?:failed|claim)":"\w+"/gu) ?? []
  for (const value of Object.values(claims).filter((each) => typeof each === 'string' && each.length > 4))
    if (value !== provider.issuer && status !== 200) expect(logged.join('\n')).not.toContain(value)
  return { answer: chain?.[0].claims.sub ?? status, named: named.map((each) => each.split('"')[3]) }
}

const guide = rowsOfTheGuide()

it('the guide and this table have the same rows', () => {
  expect(Object.keys(guide)).toEqual(Object.keys(ROWS))
})

it.each(Object.entries(ROWS))('%s', async (name, row) => {
  const log = guide[name]!
  const counts = row.remedy === undefined
  expect(await asked(row)).toEqual({ answer: counts ? row.principal : 401, named: log === '' ? [] : [log] })
  if (counts) return
  const { iss: _, ...fixed } = { ...row, ...row.remedy }
  expect((await asked(fixed)).answer).toBe(row.principal)
})
