import { Option, type Command } from 'commander'

/** The keys that the user knows to sign the manifest. */
export const manifestKidOption = (): Option =>
  new Option(
    '--manifest-kid <kid>',
    'the id of the key that signs the manifest, from its operator, not from the service; may be repeated',
  ).argParser((text: string, before: readonly string[] = []) => [...before, ...text.split(/[\s,]+/u).filter(Boolean)])

/** The options by which a verifier is told whom to trust. */
export const originOptions = (command: Command): Command =>
  command
    .requiredOption('--jwks <file>', 'the public keys of the service: a JWKS file, or its https address')
    .option('--manifest <file>', 'the signed manifest, which says what each key is for; its signature beside it (.jws)')
    .addOption(manifestKidOption())
    .option('--at <time>', 'judge the manifest at this time (RFC 3339), not now')
