import { useQuery } from '@tanstack/react-query'
import { useTranslations } from 'next-intl'
import { type ReactNode, useEffect, useState } from 'react'
import { findCommand } from '@/components/app/commands'
import { useNavigate } from '@/components/app/navigate'
import { useSchoolFilter, useSchoolNames, useScreenHref } from '@/components/app/schools'
import { type Screen, SCREEN_COMMANDS } from '@/components/app/screens'
import { Parts } from '@/components/inbox/lead-row'
import { requestSignOut } from '@/components/ui/unsaved-work'
import { after } from '@/lib/after'
import { type LeadItem, requestPage } from '@/lib/api/leads'
import { highSchools, savedViewsQuery } from '@/lib/api/queries'
import { displayPhone } from '@/lib/contacts/plain-phone'
import type { LeadList } from '@/lib/contract/lead'
import { LISTS } from '@/lib/contract/lists'
import { groupBy } from '@/lib/group-by'
import { matchRanges, openingAround, phoneMatchRanges } from '@/lib/inbox/found-lead'
import { contactOf, isQuestion, nameOf } from '@/lib/inbox/lead-text'
import { MENU_QUEUES, queueHref } from '@/lib/inbox/queues'
import { viewHref } from '@/lib/inbox/view-link'
import { allCommands, type CommandId } from '@/lib/keyboard/commands'
import { foldText } from '@/lib/leads/comparable-text'
import { searchTerms } from '@/lib/leads/search-terms'
import { CommandKeys } from './help-dialog'

export type PaletteEntry = { id: string; label: ReactNode; detail?: ReactNode; run: () => void }
export type PaletteSection = { id: string; heading: string | null; entries: readonly PaletteEntry[] }

/** What the palette lists for this text: what can be opened or done here, and what the server finds. */
export function usePaletteSections(screens: readonly Screen[], text: string) {
  const t = useTranslations()
  const navigate = useNavigate()
  const mayRead = screens.some(({ needs }) => needs === 'leads:read')
  const found = useLeadSearch(text, mayRead)
  const offers = groupOffers(useOffers(screens, mayRead), text, (group) =>
    group === 'queues' ? t('inbox.queues.title') : t(`palette.heading.${group}`),
  )
  const searchIn = SEARCHED_LISTS.map((list) => ({
    id: `search ${list}`,
    label: t('palette.searchIn', { list: t(`shell.${SCREENS[list]}`), text }),
    run: () => navigate(LISTS[list].href, { searchText: text }),
  }))
  // The text alone decides this, so that nothing moves under the user's Enter when the leads come.
  const isAboutOffers = offers.some(({ entries }) => entries.some(({ label }) => matchText(label, text) <= 1))
  const isOffersFirst = !found.isSearchable || isAboutOffers
  const sections: PaletteSection[] = [
    ...(isOffersFirst ? [...offers, ...found.sections] : [...found.sections, ...offers]),
    ...(found.isSearchable ? [{ id: 'search', heading: null, entries: searchIn }] : []),
  ]
  const isNothing = offers.length + found.sections.length === 0
  const note = found.hasFailed ? 'searchFailed' : found.isSearching ? 'searching' : isNothing ? 'nothing' : null
  return { sections, note: note && t(`palette.${note}`), isUndecided: found.isSearching && !isOffersFirst }
}

type Group = 'go' | 'commands' | 'queues' | 'views' | 'schools'
/** `isQuiet`: one of many, which are listed only once something is typed. */
type Offer = { label: string; group: Group; isQuiet?: boolean }

/** All that can be opened or done here, in the order in which it is listed. */
function useOffers(screens: readonly Screen[], mayRead: boolean): (PaletteEntry & Offer)[] {
  const t = useTranslations()
  const navigate = useNavigate()
  const hrefOf = useScreenHref()
  const { data: saved } = useQuery({ ...savedViewsQuery, enabled: mayRead })
  const { data: schools } = useQuery(highSchools)
  const [chosenSchools, setSchools] = useSchoolFilter()
  const keysOf = (id: CommandId | undefined) => id !== undefined && <CommandKeys id={id} />
  const offers: (PaletteEntry & Offer)[] = []
  for (const screen of screens) {
    // The queues are a group of their own.
    if (screen.name === 'queue') continue
    const detail = keysOf(SCREEN_COMMANDS[screen.name])
    const label = t(`shell.${screen.name}`)
    offers.push({ id: screen.href, label, group: 'go', detail, run: () => navigate(hrefOf(screen)) })
  }
  const elsewhere = new Set<CommandId>(['palette', ...Object.values(SCREEN_COMMANDS)])
  for (const { id } of allCommands()) {
    const run = elsewhere.has(id) ? undefined : findCommand(id)
    if (run) offers.push({ id, label: t(`palette.command.${id}`), group: 'commands', detail: keysOf(id), run })
  }
  offers.push({ id: 'sign-out', label: t('shell.account.signOut'), group: 'commands', run: requestSignOut })
  // The menu has no room for the last two.
  for (const name of mayRead ? ([...MENU_QUEUES, 'dueToday', 'snoozed'] as const) : []) {
    const run = () => navigate(queueHref(name, chosenSchools))
    offers.push({ id: `queue ${name}`, label: t(`inbox.queues.${name}`), group: 'queues', run })
  }
  for (const { id, name, list, query } of saved?.views ?? []) {
    const run = () => navigate(viewHref(list, query), { searchText: query.q ?? '' })
    offers.push({ id: `view ${id}`, label: name, group: 'views', run })
  }
  offers.push({ id: 'all-schools', label: t('shell.schools.all'), group: 'schools', run: () => setSchools([]) })
  for (const { id, name } of schools?.highSchools ?? [])
    offers.push({ id: `school ${id}`, label: name, group: 'schools', isQuiet: true, run: () => setSchools([id]) })
  return offers
}

const MAX_OFFERS = 40

/** The offers whose label fits the text, or a little their heading ("skola nor" finds the school Norra); the best group first. */
export function groupOffers<Item extends Offer>(
  offers: readonly Item[],
  text: string,
  headingOf: (group: Group) => string,
): { id: Group; heading: string; entries: Item[] }[] {
  const rankOf = ({ label, group, isQuiet }: Offer): number => {
    if (text === '') return isQuiet === true ? Infinity : 0
    return Math.min(matchText(label, text), matchText(`${label} ${headingOf(group)}`, text) + 2)
  }
  const best = offers
    .map((offer) => ({ offer, rank: rankOf(offer) }))
    .filter(({ rank }) => rank < Infinity)
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, MAX_OFFERS)
    .map(({ offer }) => offer)
  // A group stands where its best entry does.
  return [...groupBy(best, ({ group }) => group)].map(([id, entries]) => ({ id, heading: headingOf(id), entries }))
}

/** Ranks a match, less is better: beginnings, beginnings of words, anything inside; `Infinity` where a word is missing. */
export function matchText(text: string, typed: string): number {
  const target = foldText(text)
  return foldText(typed)
    .split(' ')
    .reduce((sum, word) => {
      if (target.startsWith(word)) return sum
      if (target.includes(` ${word}`)) return sum + 1
      return sum + (target.includes(word) ? 2 : Infinity)
    }, 0)
}

const SCREENS = { 'asked-questions': 'questions', 'declarations-of-interest': 'declarations' } as const

/** They are shown in this order: the declarations have the names. */
const SEARCHED_LISTS = ['declarations-of-interest', 'asked-questions'] as const satisfies LeadList[]

const MIN_LENGTH = 2
const MAX_FOUND = 5
const PAUSE_MS = 120

/** The people and leads that the server finds, a moment after the last letter. */
function useLeadSearch(text: string, mayRead: boolean) {
  const t = useTranslations()
  const navigate = useNavigate()
  const schools = useSchoolNames()
  const [debounced, setDebounced] = useState(text)
  useEffect(() => after(PAUSE_MS, () => setDebounced(text)), [text])
  const isSearchable = mayRead && text.length >= MIN_LENGTH
  const isCurrent = isSearchable && debounced === text
  const { data, isPending, isError } = useQuery({
    queryKey: ['found', debounced],
    queryFn: ({ signal }) => {
      const pages = SEARCHED_LISTS.map((list) => requestPage(list, { q: debounced, limit: MAX_FOUND }, signal))
      return Promise.all(pages)
    },
    enabled: isCurrent,
    // Without a network it fails at once and says so, rather than wait unseen.
    networkMode: 'always',
    retry: false,
    staleTime: 10_000,
    gcTime: 60_000,
  })
  const found = SEARCHED_LISTS.map((list, index) => ({ list, items: (isCurrent && data?.[index]?.items) || [] }))
  const nameParts = (item: LeadItem) => matchRanges(nameOf(item) ?? '', text)
  const titleParts = (item: LeadItem) => {
    const parts = isQuestion(item)
      ? matchRanges(openingAround(item.question, searchTerms(text)), text)
      : nameParts(item)
    const missing = t(isQuestion(item) ? 'inbox.noQuestion' : 'inbox.nameMissing')
    return parts.some((part) => part.text !== '') ? parts : matchRanges(missing, '')
  }
  // A question has no name: its sender is found by an address or a number only.
  const people = distinctPeople(found.flatMap(({ items }) => items)).filter(
    (item) => !isQuestion(item) || nameParts(item).some(({ match }) => match),
  )
  const peopleSection = {
    id: 'people',
    heading: t('palette.heading.people'),
    entries: people.map((item) => ({
      id: `person ${item.contactId}`,
      label: <Parts parts={nameParts(item)} />,
      detail: !isQuestion(item) && <ContactDetail item={item} text={text} />,
      run: () => navigate(`/contacts/${encodeURIComponent(item.contactId)}`),
    })),
  }
  const listSections = found.map(({ list, items }) => ({
    id: list,
    heading: t(`shell.${SCREENS[list]}`),
    entries: items.map((item) => ({
      id: `${list} ${item.id}`,
      label: <Parts parts={titleParts(item)} />,
      detail: <ContactDetail item={item} text={text} school={schools.of(item)} />,
      run: () => navigate(`${LISTS[list].href}?${new URLSearchParams({ lead: item.id })}`, { searchText: '' }),
    })),
  }))
  return {
    isSearchable,
    isSearching: isSearchable && (!isCurrent || isPending),
    hasFailed: isCurrent && isError,
    sections: [peopleSection, ...listSections].filter(({ entries }) => entries.length > 0),
  }
}

function ContactDetail({ item, text, school }: { item: LeadItem; text: string; school?: string }) {
  const { email, phone } = contactOf(item)
  const details = [
    ...(email === null ? [] : [matchRanges(email, text)]),
    ...(phone === null ? [] : [phoneMatchRanges(displayPhone(phone), text)]),
  ]
  const shown = details.find((parts) => parts.some(({ match }) => match)) ?? details[0]
  return (
    <span className="truncate">
      <span>{school && shown ? `${school} · ` : school}</span>
      {shown && <Parts parts={shown} />}
    </span>
  )
}

/** Each contact once, with the first lead that says who it is. */
export function distinctPeople(items: readonly LeadItem[]): LeadItem[] {
  const named = items.filter((item) => nameOf(item) !== null)
  const byContact = groupBy(named, ({ contactId }) => contactId)
  return [...byContact.values()].flatMap(([first]) => first ?? []).slice(0, MAX_FOUND)
}
