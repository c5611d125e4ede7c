/** Which credentials an imported service sends with which operation, and which variables hold them. */
import { expect, it } from 'vitest'
import { importOperations } from '../../../src/compiler/openapi/import-operations.js'
import { readApiDocument } from '../../../src/compiler/openapi/library.js'
import { apiOperationsOf, dialectOf } from '../../../src/compiler/openapi/operations.js'
import { importedSourcesOf } from '../../../src/compiler/openapi/print-handlers.js'
import type { Description } from '../../../src/compiler/openapi/references.js'
import { upstreamOf } from '../../../src/compiler/openapi/upstream.js'

const SCHEMES = {
  key: { type: 'apiKey', in: 'header', name: 'X-Key' },
  'app-id': { type: 'apiKey', in: 'query', name: 'app' },
  app_id: { type: 'apiKey', in: 'cookie', name: 'app' },
  basic: { type: 'http', scheme: 'basic' },
  client: {
    type: 'oauth2',
    flows: { clientCredentials: { tokenUrl: 'https://id.example/token', scopes: { r: 'r' } } },
  },
  mutual: { type: 'mutualTLS' },
  person: {
    type: 'oauth2',
    flows: {
      authorizationCode: {
        authorizationUrl: 'https://id.example/authorize',
        tokenUrl: 'https://id.example/token',
        scopes: { r: 'r', w: 'w' },
      },
    },
  },
  both: {
    type: 'oauth2',
    oauth2MetadataUrl: 'https://id.example/.well-known/oauth-authorization-server/a',
    flows: {
      clientCredentials: { tokenUrl: 'https://id.example/token', scopes: {} },
      authorizationCode: {
        authorizationUrl: 'https://id.example/authorize',
        tokenUrl: 'https://id.example/token',
        scopes: {},
      },
    },
  },
  openid: { type: 'openIdConnect', openIdConnectUrl: 'https://id.example/t/.well-known/openid-configuration' },
}

/** The lines of credentials: of the service behind, and of the one operation. */
function linesOf(usual: unknown, own: unknown): readonly string[] {
  const get = { operationId: 'a', responses: {}, ...(own === undefined ? {} : { security: own }) }
  const api = { openapi: '3.1.0', servers: [{ url: 'https://shop.example' }], paths: { '/a': { get } }, components: { securitySchemes: SCHEMES }, ...(usual === undefined ? {} : { security: usual }) } // prettier-ignore
  const root = readApiDocument('api.json', JSON.stringify(api))
  if ('line' in root) throw new Error(root.message)
  const description: Description = { root, documents: new Map(), wanted: new Set(), target: () => ({ why: 'none' }), findings: [] } // prettier-ignore
  const dialect = dialectOf(description)!
  const upstream = upstreamOf(description, dialect, {})!
  const { operations, refused } = importOperations(description, dialect, upstream, apiOperationsOf(description))
  const text = importedSourcesOf(upstream, operations).map((file) => file.text).join('\n') // prettier-ignore
  const lines = text.split('\n').map((line) => line.trim())
  return [
    ...lines.filter(
      (line) =>
        /value:|client|url: '|scopes?:|security:|connection:|issuer/iu.test(line) &&
        !/^[/*]|httpUpstream|^url/u.test(line),
    ),
    ...refused.flatMap(({ findings }) => findings.map(({ message }) => message)),
  ]
}

const KEY = "{ in: 'header', name: 'X-Key', value: process.env['SHOP_CREDENTIAL'] },"
const BASIC = (variable: string) => `{ in: 'header', name: 'Authorization', scheme: 'Basic', value: process.env['${variable}'] },` // prettier-ignore

it.each<[string, unknown, unknown, readonly string[]]>([
  ['the first scheme in a header where nothing is said', undefined, undefined, [`credential: ${KEY}`]],
  ['the only one that is demanded', [{ key: [] }], undefined, [`credential: ${KEY}`]],
  ['none where an operation demands none', [{ key: [] }], [], ['security: [],']],
  ['an operation’s own in the place of the usual', [{ key: [] }], [{ basic: [] }], [`credential: ${BASIC('SHOP_CREDENTIAL')}`, "security: [['basic']],"]], // prettier-ignore
  ['two at once', [{ key: [], basic: [] }], undefined, [`key: ${KEY}`, `basic: ${BASIC('SHOP_BASIC_CREDENTIAL')}`, "security: [['key', 'basic']],"]], // prettier-ignore
  ['one of two', [{ key: [] }, { basic: [] }], undefined, [`key: ${KEY}`, `basic: ${BASIC('SHOP_BASIC_CREDENTIAL')}`, "security: [['key'], ['basic']],"]], // prettier-ignore
  ['one or none', [{}, { key: [] }], undefined, [`credential: ${KEY}`]],
  ['one that can be sent, of two', [{ mutual: [] }, { key: [] }], undefined, [`credential: ${KEY}`]],
  ['nothing of what cannot be sent', [{ mutual: [] }], undefined, ['The credential that is demanded cannot be sent: mutual.']], // prettier-ignore
  ['two whose variables would have one name', [{ key: [], 'app-id': [], app_id: [] }], undefined, [
    `key: ${KEY}`,
    "'app-id': { in: 'query', name: 'app', value: process.env['SHOP_APP_ID_CREDENTIAL'] },",
    "app_id: { in: 'cookie', name: 'app', value: process.env['SHOP_APP_ID_3_CREDENTIAL'] },",
    "security: [['key', 'app-id', 'app_id']],",
  ]],
  ['a client of an authorization server', [{ client: [] }], undefined, [
    "in: 'header', name: 'Authorization', scheme: 'Bearer', value: process.env['SHOP_CREDENTIAL'],",
    'client: {',
    "tokenUrl: 'https://id.example/token',",
    "scope: 'r',",
    "clientId: process.env['SHOP_CLIENT_ID'],",
    "clientSecret: process.env['SHOP_CLIENT_SECRET'],",
  ]],
  ['in the account of each person', [{ person: ['w'] }], undefined, [
    "in: 'header', name: 'Authorization', scheme: 'Bearer', value: process.env['SHOP_CREDENTIAL'],",
    'connection: {',
    "authorizationUrl: 'https://id.example/authorize',",
    "tokenUrl: 'https://id.example/token',",
    "scopes: ['w'],",
    "clientId: process.env['SHOP_CONNECTION_CLIENT_ID'],",
    "clientSecret: process.env['SHOP_CONNECTION_CLIENT_SECRET'],",
  ]],
  ['the scopes that the scheme has where an operation names none', [{ person: [] }], undefined, [
    "in: 'header', name: 'Authorization', scheme: 'Bearer', value: process.env['SHOP_CREDENTIAL'],",
    'connection: {',
    "authorizationUrl: 'https://id.example/authorize',",
    "tokenUrl: 'https://id.example/token',",
    "scopes: ['r', 'w'],",
    "clientId: process.env['SHOP_CONNECTION_CLIENT_ID'],",
    "clientSecret: process.env['SHOP_CONNECTION_CLIENT_SECRET'],",
  ]],
  ['as a client, or in the account of each person', [{ both: ['r', 'a"b'] }], undefined, [
    "in: 'header', name: 'Authorization', scheme: 'Bearer', value: process.env['SHOP_CREDENTIAL'],",
    'client: {',
    "tokenUrl: 'https://id.example/token',",
    "clientId: process.env['SHOP_CLIENT_ID'],",
    "clientSecret: process.env['SHOP_CLIENT_SECRET'],",
    'connection: {',
    "issuer: 'https://id.example/a',",
    "scopes: ['r'],",
    "clientId: process.env['SHOP_CONNECTION_CLIENT_ID'],",
    "clientSecret: process.env['SHOP_CONNECTION_CLIENT_SECRET'],",
  ]],
  ['what needs no consent, where there is a choice', [{ person: ['r'] }, { key: [] }], undefined, [
    `key: ${KEY}`,
    "person: { in: 'header', name: 'Authorization', scheme: 'Bearer', value: process.env['SHOP_PERSON_CREDENTIAL'] },",
    "security: [['key'], ['person']],",
  ]],
  ['in the account of each person where a key goes with it', [{ openid: ['r'], key: [] }], undefined, [
    "in: 'header', name: 'Authorization', scheme: 'Bearer', value: process.env['SHOP_CREDENTIAL'],",
    'client: {',
    "discoveryUrl: 'https://id.example/t/.well-known/openid-configuration',",
    "clientId: process.env['SHOP_CLIENT_ID'],",
    "clientSecret: process.env['SHOP_CLIENT_SECRET'],",
    'connection: {',
    "issuer: 'https://id.example/t',",
    "scopes: ['openid', 'r'],",
    "clientId: process.env['SHOP_CONNECTION_CLIENT_ID'],",
    "clientSecret: process.env['SHOP_CONNECTION_CLIENT_SECRET'],",
    `key: ${KEY.replace('SHOP_', 'SHOP_KEY_')}`,
    "security: [['openid', 'key']],",
  ]],
])('sends %s', (_, usual, own, lines) => {
  expect(linesOf(usual, own)).toEqual(lines)
}) // prettier-ignore
