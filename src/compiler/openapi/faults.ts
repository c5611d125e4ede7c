import { rowsOf, type LeftOut, type TextOf } from './left-out.js'

/** The message of a finding: only rows of the table write one. */
export type FaultText = TextOf<'finding'>

const row = rowsOf<'finding'>()

const capital = (text: string): string => text[0]!.toUpperCase() + text.slice(1)

/** Reasons why a description, or an operation of it, is not imported: one row for each class of finding. */
export const FAULTS = {
  elsewhere: row(
    'an operation that another address serves',
    'The credential goes to one address. Import the operation into the same service by itself, with `--server` and another `--name`: ' +
      'it gets a credential of its own.',
    (id: string, other: string, url: string) =>
      `${id} is served by ${other}, and the credential goes to ${url} only. Import it into the same service by itself, ` +
      `with --server ${other} and another --name.`,
  ),
  unsent: row(
    'a required header, body or parameter that cannot be sent',
    'XML, `multipart/mixed`, a range of types such as `image/*`, and headers that say who calls or from where have no input. ' +
      'Where they are optional they are left out with a note.',
    (what: string) => `${capital(what)} is required, and cannot be sent.`,
  ),
  bodyOfGet: row(
    'a body of GET or HEAD',
    'Such a body has no defined meaning (RFC 9110, 9.3.1), and clients, proxies and caches drop it.',
    (method: string) => `A body of ${method} cannot be sent.`,
  ),
  unstyled: row(
    'a parameter whose style or media type its place does not have',
    'OpenAPI does not say how it is written, so every way would be a guess.',
    (text: string) => text,
  ),
  formWithoutFields: row(
    'a form without named fields',
    'A form is written field by field.',
    () => 'A form without named fields cannot be sent.',
  ),
  credential: row(
    'an operation that demands a credential which is no text in a header, query or cookie',
    'Mutual TLS, HTTP digest and other exchanges are not made.',
    (names: string) => `The credential that is demanded cannot be sent: ${names}.`,
  ),
  clash: row(
    'two operations whose capabilities would have one name',
    'Code and agents know a capability by its name. `--rename` gives one of them another.',
    (text: string) => text,
  ),
  path: row(
    'a path with a dot segment, a parameter in its query, or a character that no path has',
    'It would lead elsewhere than it says.',
    (path: string) => `The path ${path} is no path below an address.`,
  ),
  method: row(
    'a method that is not sent: TRACE, CONNECT, TRACK',
    'They show a request, credential included, to others.',
    (method: string) => `The method ${method} cannot be sent.`,
  ),
  nameless: row(
    'a parameter without `name` or `in`',
    'It says nothing to send.',
    () => 'A parameter needs `name` and `in`.',
  ),
  noObject: row(
    'a path or an operation that is no object',
    'It describes nothing.',
    (what: string) => `${what} must be an object.`,
  ),
  nothing: row(
    'a reference in the place of a parameter, a body, an answer or a path that leads to nothing',
    'What it stands for is not there. Other operations are imported with `--all` or `--tag`.',
    (reference: string) => `The reference ${reference} leads to nothing.`,
  ),
  noPointer: row(
    'a reference that is no JSON pointer',
    'Names (`$anchor`, `$dynamicRef`) are not followed.',
    (reference: string) => `The reference ${reference} has no JSON pointer after \`#\`.`,
  ),
  circle: row('references in a circle', 'They never lead to a value.', () => 'The reference leads in a circle.'),
  allOfCircle: row(
    '`allOf` that leads back to the schema that it is in',
    'No value can be described so.',
    () => '`allOf` leads back to the schema that it is in.',
  ),
  outside: row(
    'a reference to an address, or outside the folder or the origin of the document',
    'Reading a file makes no request, and nothing else of this machine is read.',
    (text: string) => text,
  ),
  address: row(
    'no address of the service, or one that is not https',
    'The credential could be read on its way. `--server` names the address.',
    (text: string) => text,
  ),
  version: row('another format than OpenAPI 3.0 to 3.2 and Swagger 2.0', 'It is not known.', (text: string) => text),
  noPaths: row('a description without `paths`', 'It has no operations.', () => 'There is no `paths`.'),
  unread: row(
    'a document that is empty, or neither JSON nor YAML, or of more than 32 MiB or 64 levels',
    'Reading ends somewhere.',
    (text: string) => text,
  ),
  twice: row(
    'a key that is there twice',
    'Readers differ in which of the two holds.',
    (key: string) => `The key ${key} is there twice. Keep one of them.`,
  ),
} as const satisfies { readonly [name: string]: LeftOut }
