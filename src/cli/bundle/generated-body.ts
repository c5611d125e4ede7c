/** Removes the header of generated code, which names what the code was made from. */
export const bodyOf = (text: string): string => text.slice(text.indexOf('\n\n') + 1)
