import { useQueries, useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { useEffect, useState } from 'react'
import { useNavigate } from '@/components/app/navigate'
import { useSchoolNames } from '@/components/app/schools'
import type { Screen } from '@/components/app/screens'
import { Parts } from '@/components/inbox/lead-row'
import { after } from '@/lib/after'
import { type LeadItem, requestPage } from '@/lib/api/leads'
import { highSchools, savedViewsQuery } from '@/lib/api/queries'
import { displayPhone } from '@/lib/contacts/phone'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { matchRanges, openingAround, phoneMatchRanges } from '@/lib/inbox/found-lead'
import { contactOf, isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { searchTerms } from '@/lib/leads/search-terms'
import {
  groupOffers,
  matchesOffers,
  type PaletteEntry,
  type PaletteGroupName,
  useGoToList,
  usePaletteItems,
} from './palette-items'

export type PaletteSection = { id: string; heading: string | null; entries: readonly PaletteEntry[] }

export function usePaletteSections(screens: readonly Screen[], text: string) {
  const t = useTranslations('palette')
  const all = useTranslations()
  const shell = useTranslations('shell')
  const goToList = useGoToList()
  const mayRead = screens.some(({ needs }) => needs === 'leads:read')
  const found = useLeadSearch(text, mayRead)
  const headingOf = (group: PaletteGroupName) =>
    group === 'queues' ? all('inbox.queues.title') : t(`heading.${group}`)
  const offered = groupOffers(usePaletteItems(screens), text, headingOf)
  const leads = useFoundSections(found.leads, text.trim())
  const views = useQuery({ ...savedViewsQuery, enabled: mayRead })
  const isLoading = useQuery(highSchools).isLoading || views.isLoading
  const searchIn = SEARCHED_LISTS.map((list) => ({
    id: `search ${list}`,
    label: t('searchIn', { list: shell(SCREENS[list]), text: text.trim() }),
    run: () => goToList(LISTS[list].href, list, { q: text.trim() }),
  }))
  const offers = offered.map(({ name, items }) => ({ id: name, heading: headingOf(name), entries: items }))
  /** Fixed by the text alone, so that nothing moves under the person's Enter when the leads come. */
  const isOffersFirst = !found.isSearchable || matchesOffers(offered, text)
  const sections: PaletteSection[] = [
    ...(isOffersFirst ? [...offers, ...leads] : [...leads, ...offers]),
    ...(found.isSearchable ? [{ id: 'search', heading: null, entries: searchIn }] : []),
  ]
  const isNothing = offers.length === 0 && leads.length === 0 && !found.isSearching && !isLoading
  return {
    sections,
    note: found.hasFailed ? t('searchFailed') : found.isSearching ? t('searching') : isNothing ? t('nothing') : null,
    isUndecided: found.isSearching && !isOffersFirst,
  }
}

const SCREENS = { 'asked-questions': 'questions', 'declarations-of-interest': 'declarations' } as const

function useFoundSections(leads: ReturnType<typeof useLeadSearch>['leads'], text: string): PaletteSection[] {
  const t = useTranslations('palette.heading')
  const shell = useTranslations('shell')
  const all = useTranslations()
  const navigate = useNavigate()
  const schools = useSchoolNames()
  const goToList = useGoToList()
  // A question has no name: its sender is found by an address or a number only.
  const nameParts = (item: LeadItem) => matchRanges(nameOf(item) ?? '', text)
  const people = distinctPeople(leads.flatMap(({ items }) => items)).filter(
    (item) => !isQuestion(item) || nameParts(item).some(({ match }) => match),
  )
  const titleParts = (item: LeadItem) => {
    const parts = isQuestion(item)
      ? matchRanges(openingAround(item.question, searchTerms(text)), text)
      : nameParts(item)
    const missing = all(isQuestion(item) ? 'inbox.noQuestion' : 'inbox.nameMissing')
    return parts.some((part) => part.text !== '') ? parts : [{ text: missing, match: false, at: 0 }]
  }
  const peopleSection = {
    id: 'people',
    heading: t('people'),
    entries: people.map((item) => ({
      id: `person ${item.contactId}`,
      label: <Parts parts={nameParts(item)} />,
      detail: !isQuestion(item) && <ContactDetail item={item} text={text} />,
      run: () => navigate(`/contacts/${encodeURIComponent(item.contactId)}`),
    })),
  }
  const listSections = leads.map(({ list, items }) => ({
    id: list,
    heading: shell(SCREENS[list]),
    entries: items.map((item) => ({
      id: `${list} ${item.id}`,
      label: <Parts parts={titleParts(item)} />,
      detail: <ContactDetail item={item} text={text} school={schools.of(item)} />,
      run: () => goToList(`${LISTS[list].href}?${new URLSearchParams({ lead: item.id })}`, list),
    })),
  }))
  return people.length === 0 ? listSections : [peopleSection, ...listSections]
}

function ContactDetail({ item, text, school }: { item: LeadItem; text: string; school?: string }) {
  const { email, phone } = contactOf(item)
  const details = [
    ...(email === null ? [] : [matchRanges(email, text)]),
    ...(phone === null ? [] : [phoneMatchRanges(displayPhone(phone), text)]),
  ]
  const first = details.find((parts) => parts.some(({ match }) => match)) ?? details[0]
  return (
    <span className="truncate">
      <span>{school && first ? `${school} · ` : school}</span>
      {first && <Parts parts={first} />}
    </span>
  )
}

/** In the order in which they are shown: the declarations carry the names. */
const SEARCHED_LISTS = ['declarations-of-interest', 'asked-questions'] as const satisfies LeadList[]

const MIN_LENGTH = 2
const MAX_FOUND = 5
const PAUSE_MS = 120

function useLeadSearch(text: string, mayRead: boolean) {
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
    leads: SEARCHED_LISTS.flatMap((list, index) => {
      const items = (isThere && answers[index]?.data?.items) || []
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
