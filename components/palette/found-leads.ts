import { useQueries } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { after } from '@/lib/after'
import { type LeadItem, requestPage } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { isQuestion, nameOf } from '@/lib/inbox/lead-text'

/** In the order in which they are shown: the declarations carry the names. */
export const SEARCHED_LISTS = ['declarations-of-interest', 'asked-questions'] as const satisfies LeadList[]

const MIN_LENGTH = 2
const MAX_FOUND = 5
const PAUSE_MS = 120

export function useLeadSearch(text: string, mayRead: boolean) {
  const typed = text.trim()
  const [debounced, setDebounced] = useState(typed)
  useEffect(() => after(PAUSE_MS, () => setDebounced(typed)), [typed])
  const isSearchable = mayRead && typed.length >= MIN_LENGTH
  const answers = useQueries({
    queries: SEARCHED_LISTS.map((list) => ({
      queryKey: ['found', list, debounced],
      queryFn: ({ signal }: { signal: AbortSignal }) => requestPage(list, { q: debounced, limit: MAX_FOUND }, signal),
      enabled: isSearchable && debounced === typed,
      // Without a network it is to fail at once and say so, not to wait unseen.
      networkMode: 'always' as const,
      retry: false,
      staleTime: 10_000,
      gcTime: 60_000,
    })),
  })
  const isThere = isSearchable && debounced === typed
  return {
    isSearchable,
    isSearching: isSearchable && (!isThere || answers.some(({ isPending }) => isPending)),
    hasFailed: isThere && answers.some(({ isError }) => isError),
    leads: SEARCHED_LISTS.flatMap((list, at) => {
      const items = (isThere && answers[at]?.data?.items) || []
      return items.length === 0 ? [] : [{ list, items }]
    }),
  }
}

/** Each contact once, with a lead that says who it is: one with a name rather than one without. */
export function distinctPeople(items: readonly LeadItem[]): LeadItem[] {
  const byContact = new Map<string, LeadItem>()
  for (const item of items) {
    const current = byContact.get(item.contactId)
    if (nameOf(item) !== null && (current === undefined || (isQuestion(current) && !isQuestion(item))))
      byContact.set(item.contactId, item)
  }
  return [...byContact.values()].slice(0, MAX_FOUND)
}
