/** What a command prints as data: of a published schema (`svc schema`), and which version of it. */
export const asJson = (data: object): string => `${JSON.stringify({ version: 1, ...data }, undefined, 2)}\n`
