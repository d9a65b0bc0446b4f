/** This choice of the filter stands for questions without a topic. */
export const NO_TOPIC = 'none'

export const TOPICS = [
  { id: 'programmes', name: { sv: 'Program', en: 'Programmes' } },
  { id: 'points', name: { sv: 'Antagningspoäng', en: 'Admission points' } },
  { id: 'application', name: { sv: 'Ansökan och besked', en: 'Applying and results' } },
  { id: 'openHouse', name: { sv: 'Öppet hus', en: 'Open day' } },
  { id: 'practice', name: { sv: 'Praktik och APL', en: 'Work placements' } },
  { id: 'support', name: { sv: 'Särskilt stöd', en: 'Special support' } },
  { id: 'transport', name: { sv: 'Resor och boende', en: 'Travel and housing' } },
  { id: 'sport', name: { sv: 'Idrott', en: 'Sport' } },
  { id: 'languages', name: { sv: 'Språk', en: 'Languages' } },
  { id: 'schoolDay', name: { sv: 'Skoldagen', en: 'The school day' } },
] as const

export const TOPIC_CHOICES = [...TOPICS.map(({ id }) => id), NO_TOPIC]

/** Each choice has one bit, in the order of `TOPIC_CHOICES`. */
export type TopicBits = number

export function toTopicBits(ids: readonly string[]): TopicBits {
  return TOPIC_CHOICES.reduce((bits, id, index) => (ids.includes(id) ? bits | (1 << index) : bits), 0)
}
