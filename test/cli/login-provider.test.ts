/** What `svc login` believes of an identity provider: no address in the clear, whatever its own description names. */
import * as openid from 'openid-client'
import { afterEach, expect, it, vi } from 'vitest'
import { configurationOf } from '../../src/cli/service/logins/provider.js'

afterEach(() => vi.unstubAllGlobals())

const ISSUER = 'https://sso.example'

/** A provider that describes itself so; gives the addresses that were asked. */
function describing(description: object): readonly string[] {
  const asked: string[] = []
  vi.stubGlobal('fetch', async (input: URL | string) => {
    asked.push(String(input))
    return Response.json({ issuer: ISSUER, ...description })
  })
  return asked
}

it('sends nothing to an endpoint in the clear that an https provider names', async () => {
  const asked = describing({ token_endpoint: 'http://sso.example/token' })
  const configuration = await configurationOf({ issuer: ISSUER, clientId: 'svc' })
  await expect(openid.refreshTokenGrant(configuration, 'secret')).rejects.toThrow('only requests to HTTPS are allowed')
  expect(asked).toEqual([`${ISSUER}/.well-known/openid-configuration`])
})

it('sends a token to an endpoint over https', async () => {
  const asked = describing({ token_endpoint: 'https://sso.example/token' })
  const configuration = await configurationOf({ issuer: ISSUER, clientId: 'svc' })
  await openid.refreshTokenGrant(configuration, 'secret').catch(() => undefined)
  expect(asked).toEqual([`${ISSUER}/.well-known/openid-configuration`, 'https://sso.example/token'])
})

it('takes no description of another issuer', async () => {
  describing({ issuer: 'https://other.example' })
  await expect(configurationOf({ issuer: ISSUER, clientId: 'svc' })).rejects.toThrow('The sign-in did not succeed')
})
