import { useTranslations } from 'next-intl'
import type { ReactNode } from 'react'
import { useCurrentList } from '@/components/desk/current-list'
import { useGo } from '@/components/desk/go'
import { useSchoolNames } from '@/components/desk/schools'
import type { Screen } from '@/components/desk/screens'
import { applyViewSearch } from '@/components/views/view-search'
import type { LeadItem } from '@/lib/api/leads'
import { displayPhone } from '@/lib/contacts/phone'
import { LISTS } from '@/lib/contract/lists'
import { openingAround } from '@/lib/inbox/found-lead'
import { contactOf, isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { matchRanges, phoneMatchRanges, type TextPart } from '@/lib/inbox/match-ranges'
import { searchTerms } from '@/lib/leads/search-terms'
import { CommandKeys } from './help-dialog'
import { type Found, peopleAmong, SEARCHED_LISTS, useFound } from './palette-found'
import { groupOffers, isAboutOffers } from './palette-groups'
import { usePaletteItems } from './palette-items'

export type PaletteEntry = {
  id: string
  label: ReactNode
  /** Beside the label: where it is, how to reach the person, its key. */
  detail?: ReactNode
  run: () => void
}
export type PaletteSection = { id: string; heading: string | null; entries: readonly PaletteEntry[] }

/** What the palette shows for a text: what is offered here, and the leads and people it finds, the likelier first. */
export function usePaletteSections(screens: readonly Screen[], text: string) {
  const t = useTranslations('palette')
  const headings = useHeadings()
  const found = useFound(
    text,
    screens.some(({ needs }) => needs === 'leads:read'),
  )
  const isFoundElsewhere = found.isSearching || found.leads.length > 0
  const offered = groupOffers(usePaletteItems(screens), text, headings, !isFoundElsewhere)
  const leads = useFoundSections(found, text.trim())
  const searchIn = useSearchIn(text.trim())
  const offers = offered.map(({ name, items }) => ({
    id: name,
    heading: headings[name],
    entries: items.map(({ id, label, command, run }) => ({
      id,
      label,
      detail: command !== undefined && <CommandKeys id={command} />,
      run,
    })),
  }))
  /** Fixed by the text alone, so that nothing moves under the person's Enter when the leads come. */
  const isOffersFirst = !found.isAsked || isAboutOffers(offered, text)
  const sections: PaletteSection[] = [
    ...(isOffersFirst ? [...offers, ...leads] : [...leads, ...offers]),
    ...(found.isAsked ? [{ id: 'search', heading: null, entries: searchIn }] : []),
  ]
  const isNothing = offers.length === 0 && leads.length === 0 && !found.isSearching
  return {
    sections,
    note: found.hasFailed ? t('searchFailed') : found.isSearching ? t('searching') : isNothing ? t('nothing') : null,
    /** The first entry is not known before the leads are here. */
    isUndecided: found.isSearching && !isOffersFirst,
  }
}

function useHeadings() {
  const t = useTranslations('palette.heading')
  const day = useTranslations('day.queues')
  return {
    go: t('go'),
    commands: t('commands'),
    queues: day('title'),
    views: t('views'),
    schools: t('schools'),
    look: t('look'),
    account: t('account'),
  }
}

function useFoundSections({ leads }: Found, text: string): PaletteSection[] {
  const t = useTranslations('palette.heading')
  const shell = useTranslations('shell')
  const inbox = useTranslations('inbox')
  const go = useGo()
  const schools = useSchoolNames()
  const current = useCurrentList()
  // Whoever asked a question has no name: such a person is found by an address or a number only.
  const people = peopleAmong(leads.flatMap(({ items }) => items)).filter(
    (item) => !isQuestion(item) || partsOf(nameOf(item) ?? '', text).some(({ match }) => match),
  )
  const peopleSection = {
    id: 'people',
    heading: t('people'),
    entries: people.map((item) => ({
      id: `person ${item.contactId}`,
      label: <Marked parts={partsOf(nameOf(item) ?? '', text)} />,
      detail: !isQuestion(item) && <Ways item={item} text={text} />,
      run: () => go(`/contacts/${encodeURIComponent(item.contactId)}`),
    })),
  }
  const listSections = leads.map(({ list, items }) => ({
    id: list,
    heading: shell(SCREENS[list]),
    entries: items.map((item) => ({
      id: `${list} ${item.id}`,
      label: <Marked parts={titleParts(item, text, inbox(isQuestion(item) ? 'noQuestion' : 'nameMissing'))} />,
      detail: <Ways item={item} text={text} school={schools.of(item)} />,
      run: () =>
        go(`${LISTS[list].href}?${new URLSearchParams({ lead: item.id })}`, () =>
          applyViewSearch({ list, query: {} }, current?.list),
        ),
    })),
  }))
  return people.length === 0 ? listSections : [peopleSection, ...listSections]
}

const SCREENS = { 'asked-questions': 'questions', 'declarations-of-interest': 'declarations' } as const

/** The whole list, searched for the text, which is in no address. */
function useSearchIn(text: string): PaletteEntry[] {
  const t = useTranslations('palette')
  const shell = useTranslations('shell')
  const go = useGo()
  const current = useCurrentList()
  return SEARCHED_LISTS.map((list) => ({
    id: `search ${list}`,
    label: t('searchIn', { list: shell(SCREENS[list]), text }),
    run: () => go(LISTS[list].href, () => applyViewSearch({ list, query: { q: text } }, current?.list)),
  }))
}

function partsOf(text: string, query: string, isPhone = false): TextPart[] {
  return isPhone ? phoneMatchRanges(text, query) : matchRanges(text, query)
}

function titleParts(item: LeadItem, query: string, missing: string): TextPart[] {
  const title = isQuestion(item) ? openingAround(item.question, searchTerms(query)) : (nameOf(item) ?? '')
  const parts = partsOf(title, query)
  return parts.some((part) => part.text !== '') ? parts : [{ text: missing, match: false, at: 0 }]
}

/** How the person is reached: what the search met, or else the first way. */
function Ways({ item, text, school }: { item: LeadItem; text: string; school?: string }) {
  const { email, phone } = contactOf(item)
  const ways = [
    ...(email === null ? [] : [partsOf(email, text)]),
    ...(phone === null ? [] : [partsOf(displayPhone(phone), text, true)]),
  ]
  const met = ways.filter((parts) => parts.some(({ match }) => match))
  const [first] = met.length > 0 ? met : ways
  return (
    <span className="truncate">
      {school}
      {school !== undefined && first !== undefined && ' · '}
      {first !== undefined && <Marked parts={first} />}
    </span>
  )
}

function Marked({ parts }: { parts: readonly TextPart[] }) {
  return parts.map((part) => (part.match ? <mark key={part.at}>{part.text}</mark> : part.text))
}
