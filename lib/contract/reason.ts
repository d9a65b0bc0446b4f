/** A word for programs that says which of several refusals it is; the body of the answer has it too, as `reason`. */
export const REASON_HEADER = 'intag-reason'
