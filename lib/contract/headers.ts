/** A word for programs that says which of several refusals it is; the body of the answer has it too, as `reason`. */
export const REASON_HEADER = 'intag-reason'

/** With any answer: somebody has read so much that they are to say why. */
export const QUESTION_HEADER = 'intag-question'

/** With a request that a page makes by itself, while nobody is there: it keeps no session alive. */
export const AUTOMATIC_HEADER = 'intag-automatic'
