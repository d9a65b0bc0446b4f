import { matchRanges, phoneMatchRanges } from '@/lib/inbox/match-ranges'

/** A text with what the search met marked. */
export function MarkedText({ text, query, phone }: { text: string; query: string; phone: boolean }) {
  const parts = phone ? phoneMatchRanges(text, query) : matchRanges(text, query)
  return parts.map((part) => (part.match ? <mark key={part.at}>{part.text}</mark> : part.text))
}
