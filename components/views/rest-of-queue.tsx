import { useQuery } from '@tanstack/react-query'
import { Check } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { usePathname } from 'next/navigation'
import { type ReactNode, useEffect, useRef } from 'react'
import { useUrlState } from '@/components/browser/url-state'
import { useCommands } from '@/components/desk/commands'
import { DeskLink, useNavigate } from '@/components/desk/navigate'
import { withMessages } from '@/components/desk/lazy-area'
import { useSchoolFilter, useSchoolNames } from '@/components/desk/schools'
import { useDay } from '@/components/triage/use-pending'
import { buttonClass } from '@/components/ui/button'
import { EmptyState } from '@/components/ui/empty-state'
import { Kbd } from '@/components/ui/kbd'
import { leadPage } from '@/lib/api/leads'
import type { LeadList } from '@/lib/contract/lead'
import { readFilterParams, toListQuery } from '@/lib/inbox/filter-params'
import { nameOf } from '@/lib/inbox/lead-text'
import { type NextQueue, nextQueue, otherHalves, queueAt } from '@/lib/inbox/queues'

type RestOfQueueProps = { show: string; className: string }

/** A queue is of both lists: on one of them, how much of it the other has, and the way there. */
export const RestOfQueue = withMessages(Halves, ['day'])

function Halves({ show, className }: RestOfQueueProps) {
  const t = useTranslations('day')
  const [schools] = useSchoolFilter()
  const { data: day } = useDay(schools)
  const isHere = useIsHere()
  return (
    day &&
    otherHalves(day, schools, isHere).map(({ list, count, href }) => {
      const said = t('alsoInQueue', { what: t(`in.${list}`, { count }) })
      return (
        <span key={list}>
          {said}{' '}
          <DeskLink href={href} aria-label={`${show}: ${said}`} className={className}>
            {show}
          </DeskLink>
        </span>
      )
    })
  )
}

/** `isWork`: what was there is done, whether or not it is a queue. */
type FinishedProps = { list: LeadList; isWork: boolean; empty: ReactNode }

/** A list of work with nothing left: leads on to what is next, and says that all is done only when nobody waits. */
export const Finished = withMessages(FinishedQueue, ['day'])

function FinishedQueue({ list, isWork, empty }: FinishedProps) {
  const t = useTranslations('day')
  const [schools] = useSchoolFilter()
  const { data: day } = useDay(schools)
  const isHere = useIsHere()
  if (day === undefined) return isWork ? null : empty
  const at = queueAt(day, schools, isHere)
  if (day.leads === 0 || (at === null && !isWork)) return empty
  const next = nextQueue(day, at ?? 'waiting', schools, isHere)
  if (next !== null) {
    // The rest of a queue is said as on this list's foot; another queue with the number that the menu has.
    const isSame = next.name === at
    const title = isSame ? t(`finished.part.${list}`) : t(`finished.title.${at ?? 'none'}`)
    const rest = isSame
      ? t('alsoInQueue', { what: t(`in.${next.list}`, { count: next.count }) })
      : t(`finished.rest.${next.name}`, { count: day[next.name] })
    return <NextStep title={title} rest={rest} next={next} isSame={isSame} />
  }
  const later = day.snoozed > 0 && `${t('snoozed', { count: day.snoozed })}.`
  return (
    <EmptyState icon={<Check />} title={t(day.waiting === 0 ? 'done.title' : 'finished.title.none')}>
      {day.waiting === 0 ? t('done.all') : t('finished.rest.waiting', { count: day.waiting })} {later}
    </EmptyState>
  )
}

type NextStepProps = { title: string; rest: string; next: NextQueue; isSame: boolean }

/** Enter goes on; the focus is there when the last row took it away. */
function NextStep({ title, rest, next, isSame }: NextStepProps) {
  const t = useTranslations('day')
  const go = useNavigate()
  const box = useRef<HTMLDivElement>(null)
  useCommands({ open: () => go(next.href) })
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.querySelector('a')?.focus({ preventScroll: true })
  }, [])
  const onward = (
    <div ref={box}>
      <DeskLink href={next.href} className={buttonClass({ variant: 'primary' })}>
        {isSame ? t(`finished.onPart.${next.list}`) : t('finished.on', { queue: t(`queues.${next.name}`) })}
        <Kbd>↵</Kbd>
      </DeskLink>
    </div>
  )
  return (
    <EmptyState icon={<Check />} title={title} action={onward}>
      {rest} <First next={next} />
    </EmptyState>
  )
}

/** Who comes first there. */
function First({ next: { list, href } }: { next: NextQueue }) {
  const t = useTranslations('day')
  const schools = useSchoolNames()
  const search = new URLSearchParams(href.split('?')[1])
  const { data } = useQuery(leadPage(list, toListQuery(list, readFilterParams(search)), 0))
  const item = data?.items[0]
  if (item === undefined) return null
  const what = t(list === 'asked-questions' ? 'oldestQuestion' : 'oldestDeclaration', { school: schools.of(item) })
  return t('finished.first', { who: [item.protected ? '' : nameOf(item), what].filter(Boolean).join(', ') })
}

/** Tells of a link whether the address is its own, whichever lead is open. */
export function useIsHere(): (href: string) => boolean {
  const pathname = usePathname()
  const { search } = useUrlState()
  const here = `${pathname}?${inOrder(search)}`
  return (href) => {
    const [path = '', query = ''] = href.split('?')
    return here === `${path}?${inOrder(new URLSearchParams(query))}`
  }
}

function inOrder(search: URLSearchParams): string {
  return [...search]
    .filter(([name]) => name !== 'lead')
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join('&')
}
