/** Of questions that are of no topic; no topic has it as its id. */
export const NO_TOPIC = 'none'
export const MAX_TOPICS = 20
export const MAX_WORDS = 120

/** One to four words of letters and digits: no sentence, no address. */
export function isTopicWord(text: string): boolean {
  return text.length <= 40 && /^(?=.*\p{L})(?=..)[\p{L}\d]+(?:[ -][\p{L}\d]+){0,3}$/u.test(text)
}
