type Present<Members> = {
  readonly [name in keyof Members as undefined extends Members[name] ? never : name]: Members[name]
} & {
  readonly [name in keyof Members as undefined extends Members[name] ? name : never]?: Exclude<Members[name], undefined>
}

/** The members that have a value: an absent member and an undefined one are the same thing on the wire. */
export function present<Members extends object>(members: Members): Present<Members> {
  const kept: { [name: string]: unknown } = {}
  for (const name in members) {
    const value = (members as { readonly [name: string]: unknown })[name]
    if (value !== undefined) kept[name] = value
  }
  return kept as Present<Members>
}
