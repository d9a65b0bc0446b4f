import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useNavigate } from '@/components/app/navigate'
import { useSchoolNames } from '@/components/app/schools'
import { HighlightedText } from '@/components/ui/highlighted-text'
import { type LeadItem, requestPage } from '@/lib/api/leads'
import { formatPhone } from '@/lib/contacts/plain-phone'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { groupBy } from '@/lib/group-by'
import { excerptAround, highlightPhone, highlightText } from '@/lib/inbox/highlighted-lead'
import { findDisplayName, readEmailAndPhone, isQuestion } from '@/lib/inbox/lead-text'
import { parseSearch } from '@/lib/leads/search-terms'
import { startTimeout } from '@/lib/start-timeout'

export const SCREENS_BY_LIST = { 'asked-questions': 'questions', 'declarations-of-interest': 'declarations' } as const

/** The lists are shown in this order, because only declarations have names. */
export const SEARCHED_LISTS = ['declarations-of-interest', 'asked-questions'] as const satisfies LeadList[]

const MIN_LENGTH = 2
const MAX_FOUND = 5
const DEBOUNCE_MS = 120

/** Searches people and leads on the server, a moment after the last letter. */
export function useLeadSearch(text: string, hasLeadAccess: boolean) {
  const t = useTranslations()
  const navigate = useNavigate()
  const schoolNames = useSchoolNames()
  const [debounced, setDebounced] = useState(text)
  useEffect(() => startTimeout(DEBOUNCE_MS, () => setDebounced(text)), [text])
  const isSearchable = hasLeadAccess && text.length >= MIN_LENGTH
  const isCurrent = isSearchable && debounced === text
  const { data, isPending, isError } = useQuery({
    queryKey: ['found', debounced],
    queryFn: ({ signal }) =>
      Promise.all(SEARCHED_LISTS.map((list) => requestPage(list, { q: debounced, limit: MAX_FOUND }, signal))),
    enabled: isCurrent,
    // Without a network the search fails at once and says so, instead of waiting unseen.
    networkMode: 'always',
    retry: false,
    staleTime: 10_000,
    gcTime: 60_000,
  })
  const results = SEARCHED_LISTS.map((list, index) => ({ list, items: isCurrent ? (data?.[index]?.items ?? []) : [] }))
  const highlightName = (item: LeadItem) => highlightText(findDisplayName(item) ?? '', text)
  const highlightTitle = (item: LeadItem) => {
    const title = isQuestion(item) ? excerptAround(item.question, parseSearch(text)) : findDisplayName(item)
    const missing = t(isQuestion(item) ? 'inbox.noQuestion' : 'inbox.nameMissing')
    return title ? highlightText(title, text) : highlightText(missing, '')
  }
  // A question has no name, so its sender is found by e-mail or phone only.
  const people = selectDistinctPeople(results.flatMap(({ items }) => items)).filter(
    (item) => !isQuestion(item) || highlightName(item).some(({ isMatch }) => isMatch),
  )
  const peopleSection = {
    id: 'people',
    heading: t('palette.heading.people'),
    entries: people.map((item) => ({
      id: `person ${item.contactId}`,
      label: <HighlightedText parts={highlightName(item)} />,
      detail: !isQuestion(item) && <ContactDetail item={item} text={text} />,
      run: () => navigate(`/contacts/${encodeURIComponent(item.contactId)}`),
    })),
  }
  const listSections = results.map(({ list, items }) => ({
    id: list,
    heading: t(`shell.${SCREENS_BY_LIST[list]}`),
    entries: items.map((item) => ({
      id: `${list} ${item.id}`,
      label: <HighlightedText parts={highlightTitle(item)} />,
      detail: <ContactDetail item={item} text={text} school={schoolNames.nameForLead(item)} />,
      run: () => navigate(`${LISTS[list].href}?${new URLSearchParams({ lead: item.id })}`, { searchText: '' }),
    })),
  }))
  const sections = [peopleSection, ...listSections].filter(({ entries }) => entries.length > 0)
  const isSearching = isSearchable && (!isCurrent || isPending)
  return { isSearchable, isSearching, isFailed: isCurrent && isError, sections }
}

function ContactDetail({ item, text, school }: { item: LeadItem; text: string; school?: string }) {
  const { email, phone } = readEmailAndPhone(item)
  const addresses = [
    ...(email === null ? [] : [highlightText(email, text)]),
    ...(phone === null ? [] : [highlightPhone(formatPhone(phone), text)]),
  ]
  const address = addresses.find((parts) => parts.some(({ isMatch }) => isMatch)) ?? addresses[0]
  return (
    <span className="truncate">
      <span>{school && address ? `${school} · ` : school}</span>
      {address && <HighlightedText parts={address} />}
    </span>
  )
}

/** Returns the first lead of each contact that has a name, e-mail or phone, five at most. */
export function selectDistinctPeople(items: readonly LeadItem[]): LeadItem[] {
  const named = items.filter((item) => findDisplayName(item) !== null)
  const byContact = groupBy(named, ({ contactId }) => contactId)
  return [...byContact.values()].flatMap(([first]) => first ?? []).slice(0, MAX_FOUND)
}
