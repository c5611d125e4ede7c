import { rowsOf, type LeftOut, type TextOf } from './left-out.js'

/** The message of a note: only rows of the table write one. */
export type NoteText = TextOf<'note'>

const row = rowsOf<'note'>()
const asItIs = (text: string): string => text

/** Details that an imported operation lacks: one row for each class of note. */
export const NOTES = {
  keyword: row(
    'a keyword that structured values do not have: `not`, `if`, `contains`, `prefixItems`, `patternProperties`, …',
    'The list of keywords is closed, so that every language checks the same. Without one of them more values fit, never fewer.',
    asItIs,
  ),
  never: row(
    'a schema that is `false`',
    'A member that no value fits is described by `additionalProperties: false`.',
    () => 'false',
  ),
  byPosition: row(
    'lists whose items are described by their position',
    'Items have one schema.',
    () => 'items by position',
  ),
  enumOfStructures: row('`enum` of lists or objects', 'Its values are scalars.', () => 'enum of structures'),
  enumValues: row(
    'values of `enum` that the type beside it refuses',
    'No value could be both.',
    () => 'enum values of another type',
  ),
  pattern: row('a pattern that could hang a validator', 'Callers choose the text that is matched.', () => 'pattern'),
  format: row(
    'a `format` that is not one of structured values',
    'Its meaning is not the same in every language.',
    (format: string) => `format ${format}`.slice(0, 40),
  ),
  multipleOf: row(
    'a `multipleOf` that is no whole number, or two of them',
    'Fractions of binary numbers have no exact multiples.',
    () => 'multipleOf',
  ),
  beyond: row(
    'a bound beyond 2^53',
    'Numbers are sent within ±(2^53 - 1), whatever lies beyond.',
    (keyword: string) => `${keyword} beyond 2^53`,
  ),
  bounds: row('bounds that exclude each other', 'Nothing could be sent.', asItIs),
  unique: row(
    '`uniqueItems` of lists or objects',
    'Equality of structures is not the same in every language.',
    () => 'uniqueItems of structures',
  ),
  hidden: row(
    'values, patterns and names of members with characters that hide',
    'A manifest has no character that its reader does not see. More values fit without them.',
    asItIs,
  ),
  reserved: row(
    'a member called `__proto__`, `constructor` or `prototype`',
    'The name means something else in code.',
    (name: string) => `the member ${name}`,
  ),
  oneWay: row(
    '`required` of a `readOnly` or `writeOnly` member inside a value',
    'It goes one way only, and the schema is used both ways.',
    (name: string) => `that ${name} is required, as it goes one way only`,
  ),
  choice: row(
    'a second choice beside another one, or one beside more than 200 members',
    'Each alternative is written out with what stands beside it.',
    asItIs,
  ),
  discriminator: row('a discriminator without alternatives', 'There is nothing to choose.', () => 'discriminator'),
  broken: row(
    'a reference inside a value that leads to nothing',
    'Any value is taken in its place.',
    (reference: string) => `the reference ${reference}, which leads to nothing`,
  ),
  anyOf: row(
    '`oneOf` whose alternatives overlap, or fit more than is described',
    'It is taken as `anyOf`, so that nothing is refused that the service behind takes.',
    () => 'oneOf (taken as anyOf)',
  ),
  deep: row(
    '`allOf` that is nested more than 64 deep',
    'Reading ends somewhere.',
    () => 'allOf that is nested too deep',
  ),
  tooMuch: row(
    'what is inside of values after 24,000 schemas',
    'A service reads all of them when it starts. Import fewer operations at once.',
    () => 'what is inside, as there is too much of it',
  ),
  refused: row('a schema that `svc validate` refuses', 'The note is its message. The type stays.', asItIs),
  default: row('a default that its own schema refuses', 'A call without the input would fail.', asItIs),
  credential: row(
    'a default of an input that holds a credential',
    'A manifest holds no credentials.',
    () => 'a default that would be a credential',
  ),
  null: row(
    'null in a path, query, header or form',
    'No style writes it; it counts as not given.',
    () => 'null, which counts as not given',
  ),
  text: row(
    'characters that hide, markup, and sentences that command the reader, in texts',
    'A model reads these texts.',
    (what: string) => `description: ${what}`,
  ),
  notInPath: row(
    'a path parameter that its path does not name',
    'There is no place for it.',
    (name: string) => `the path parameter ${name}, which is not in the path`,
  ),
  undescribed: row(
    'the type of a part of a path that no parameter describes',
    'It is taken as text, as every part of a path is.',
    (name: string) => `the type of the path parameter ${name}, which is not described`,
  ),
  optional: row(
    'an optional header, body or parameter that cannot be sent',
    'The operation is complete without it. Where it is required it is a finding.',
    asItIs,
  ),
  name: row(
    'an input or a field after nine others of its name, or one called `constructor` or `prototype`',
    'Names of one capability differ.',
    asItIs,
  ),
  fields: row(
    'fields of an answer after 200',
    'A capability has at most so many.',
    (wire: string) => `output.${wire}: there are more than 200 fields`,
  ),
  together: row(
    'which members of a body go together (`anyOf`)',
    'Each member is an input of its own; the service behind refuses what does not fit.',
    () => '`anyOf` of the body: which of its fields go together',
  ),
  unnamed: row(
    'members of a body that have no name',
    'Inputs have names.',
    () => 'members of the body that have no name',
  ),
  body: row(
    'a keyword of a body whose members are inputs, such as `minProperties`',
    'Inputs stand by themselves.',
    (keyword: string) => `\`${keyword}\` of the body`,
  ),
} as const satisfies { readonly [name: string]: LeftOut }

/** The notes of one field, in one line. */
export const notesAt = (field: string, notes: readonly NoteText[]): readonly NoteText[] =>
  notes.length === 0 ? [] : [`${field}: ${[...new Set(notes)].join(', ')}` as NoteText]
