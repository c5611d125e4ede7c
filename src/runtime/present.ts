type Present<Members> = {
  readonly [name in keyof Members as undefined extends Members[name] ? never : name]: Members[name]
} & {
  readonly [name in keyof Members as undefined extends Members[name] ? name : never]?: Exclude<Members[name], undefined>
}

/** The members that have a value: an absent member and an undefined one are the same thing on the wire. */
export const present = <Members extends object>(members: Members): Present<Members> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Present<Members>
