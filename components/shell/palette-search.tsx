import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useNavigate } from '@/components/app/navigate'
import { useSchoolNames } from '@/components/app/schools'
import { HighlightedText } from '@/components/ui/highlighted-text'
import { type LeadItem, requestPage } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { groupBy } from '@/lib/group-by'
import { highlightLead, highlightPhone, highlightText, type TextPart } from '@/lib/inbox/highlighted-lead'
import { findDisplayName, isQuestion, listPersonDetails, toLeadRef } from '@/lib/inbox/lead-text'
import { toLeadHref } from '@/lib/inbox/queues'
import { startTimeout } from '@/lib/start-timeout'

export const SCREENS_BY_LIST = { 'asked-questions': 'questions', 'declarations-of-interest': 'declarations' } as const

/** Declarations are shown first, because only they have names. */
export const SEARCHED_LISTS = ['declarations-of-interest', 'asked-questions'] as const satisfies LeadList[]

const MIN_QUERY_LENGTH = 2
const MAX_RESULTS = 5
const DEBOUNCE_MS = 120

/** Searches people and leads on the server, a moment after the last letter. */
export function useLeadSearch(query: string, hasLeadAccess: boolean) {
  const t = useTranslations()
  const navigate = useNavigate()
  const schoolNames = useSchoolNames()
  const [debouncedQuery, setDebouncedQuery] = useState(query)
  useEffect(() => startTimeout(DEBOUNCE_MS, () => setDebouncedQuery(query)), [query])
  const isSearchable = hasLeadAccess && query.length >= MIN_QUERY_LENGTH
  const isCurrent = isSearchable && debouncedQuery === query
  const { data, isPending, isError } = useQuery({
    queryKey: ['lead-search', debouncedQuery],
    queryFn: ({ signal }) =>
      Promise.all(SEARCHED_LISTS.map((list) => requestPage(list, { q: debouncedQuery, limit: MAX_RESULTS }, signal))),
    enabled: isCurrent,
    // Without a network the search fails at once and says so, instead of waiting unseen.
    networkMode: 'always',
    retry: false,
    staleTime: 10_000,
    gcTime: 60_000,
  })
  const results = SEARCHED_LISTS.map((list, index) => ({ list, items: isCurrent ? (data?.[index]?.items ?? []) : [] }))
  const highlightTitle = (item: LeadItem) => {
    const { heading, question } = highlightLead(item, query)
    const title = question ?? heading
    const placeholder = t(question ? 'inbox.noQuestion' : 'inbox.nameMissing')
    return title.some(({ text }) => text !== '') ? title : highlightText(placeholder, '')
  }
  const foundItems = results.flatMap(({ items }) => items)
  const peopleSection = {
    id: 'people',
    heading: t('palette.heading.people'),
    entries: selectDistinctPeople(foundItems, query).map((item) => ({
      id: `person ${item.contactId}`,
      label: <HighlightedText parts={highlightLead(item, query).heading} />,
      detail: !isQuestion(item) && <HighlightedText parts={chooseAddress(item, query)} />,
      run: () => navigate(`/contacts/${encodeURIComponent(item.contactId)}`),
    })),
  }
  const listSections = results.map(({ list, items }) => ({
    id: list,
    heading: t(`shell.${SCREENS_BY_LIST[list]}`),
    entries: items.map((item) => ({
      id: `${list} ${item.id}`,
      label: <HighlightedText parts={highlightTitle(item)} />,
      detail: schoolNames.nameForLead(item),
      run: () => navigate(toLeadHref(toLeadRef(item)), { searchText: '' }),
    })),
  }))
  const sections = [peopleSection, ...listSections].filter(({ entries }) => entries.length > 0)
  const isSearching = isSearchable && (!isCurrent || isPending)
  return { isSearchable, isSearching, isFailed: isCurrent && isError, sections }
}

/** Chooses the e-mail or phone that matched, else the first. */
function chooseAddress(item: LeadItem, query: string): readonly TextPart[] {
  const addresses = highlightAddresses(item, query)
  return addresses.find(hasMatch) ?? addresses[0] ?? []
}

function highlightAddresses(item: LeadItem, query: string): TextPart[][] {
  const addresses = listPersonDetails(item).filter(({ kind }) => kind !== 'name')
  return addresses.map(({ kind, text }) => (kind === 'phone' ? highlightPhone : highlightText)(text, query))
}

const hasMatch = (parts: readonly TextPart[]) => parts.some(({ isMatch }) => isMatch)

/** Returns the first lead of each contact that has a name, e-mail or phone, `MAX_RESULTS` at most. */
export function selectDistinctPeople(items: readonly LeadItem[], query: string): LeadItem[] {
  const identified = items.filter((item) => {
    // A question that is found by its text alone does not list its sender.
    if (isQuestion(item)) return [highlightLead(item, query).heading, ...highlightAddresses(item, query)].some(hasMatch)
    return findDisplayName(item) !== null
  })
  const byContact = groupBy(identified, ({ contactId }) => contactId)
  return [...byContact.values()].flatMap(([first]) => first ?? []).slice(0, MAX_RESULTS)
}
