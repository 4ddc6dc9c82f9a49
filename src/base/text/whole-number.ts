/** Whether a text is a whole number that a double holds exactly, as codes of answers are. */
export const isWholeNumber = (text: string): boolean => /^-?\d{1,15}$/.test(text)
