/** Names of a service and its capabilities in the Python client. */

const KEYWORDS: ReadonlySet<string> = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from ' +
    'global if import in is ' +
    'lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
)

/** Holds for what may be an attribute of a class body as it is written. */
export const isPythonName = (name: string): boolean =>
  /^[A-Za-z_]\w*$/u.test(name) && !name.startsWith('__') && !KEYWORDS.has(name)

/** Methods of the client itself. */
const OF_THE_CLIENT: ReadonlySet<string> = new Set([
  'approval',
  'audit',
  'delegate',
  'deny',
  'grant',
  'manifest',
  'permissions',
  'revoke',
  'withdraw',
])

/** `pay.charge_card` -> `pay_charge_card`; a word that is taken gets a `_`, which no capability ends with. */
export const pythonMethod = (capability: string): string => {
  const name = capability.replaceAll('.', '_')
  return !isPythonName(name) || OF_THE_CLIENT.has(name) ? `${name}_` : name
}

/** `travel` -> `travel_client`; a name that Python can import. */
export const pythonPackage = (serviceId: string): string => {
  const name = `${serviceId.replaceAll(/[^a-z0-9]+/gu, '_')}_client`
  return /^\d/u.test(name) ? `svc_${name}` : name
}
